import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class Queue(nn.Module):
    def __init__(self, dim: int = 8, size: int = 64):
        super().__init__()
        self.size = size
        self.ptr = 0
        self.register_buffer("keys", F.normalize(torch.randn(dim, size), dim=0))

    @torch.no_grad()
    def push(self, k: Float[Tensor, "b dim"]) -> None:
        b = k.shape[0]
        self.keys[:, self.ptr : self.ptr + b] = k.T
        self.ptr = (self.ptr + b) % self.size

    def logits(
        self, q: Float[Tensor, "b dim"], k: Float[Tensor, "b dim"], temperature: float = 0.07
    ) -> Float[Tensor, "b classes"]:
        pos = (q * k).sum(dim=1, keepdim=True)
        neg = q @ self.keys.clone()
        return torch.cat([pos, neg], dim=1) / temperature


def main() -> None:
    encoder = nn.Linear(12, 8)
    queue = Queue(size=40)
    for _ in range(4):
        x = torch.randn(16, 12)
        q, k = F.normalize(encoder(x), dim=1), F.normalize(encoder(x + 0.1), dim=1)
        loss = F.cross_entropy(queue.logits(q, k), torch.zeros(16, dtype=torch.long))
        queue.push(k)
    print(loss.item())


if __name__ == "__main__":
    main()
