import torch
from jaxtyping import BFloat16, Float, Float32
from torch import Tensor, nn


class Retriever(nn.Module):
    def __init__(self, dim: int = 32, docs: int = 100):
        super().__init__()
        self.query = nn.Linear(20, dim)
        self.register_buffer("index", torch.randn(docs, dim).to(torch.bfloat16))

    def scores(self, q: BFloat16[Tensor, "b dim"]) -> BFloat16[Tensor, "b docs"]:
        return q @ self.index.T

    def forward(self, x: Float32[Tensor, "b 20"], k: int = 5) -> tuple[Float[Tensor, "b k"], Tensor]:
        q = nn.functional.normalize(self.query(x), dim=-1)
        top = self.scores(q.to(self.index.dtype)).topk(k, dim=-1)
        return top.values.float(), top.indices


def recall(found: Tensor, truth: Tensor) -> float:
    return (found == truth[:, None]).any(dim=1).float().mean().item()


def main() -> None:
    model = Retriever()
    with torch.no_grad():
        values, indices = model(torch.randn(6, 20))
    print(values.shape, recall(indices, torch.randint(0, 100, (6,))))


if __name__ == "__main__":
    main()
