import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn


class Projection(nn.Module):
    def __init__(self, dim: int, out: int):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(dim, out), nn.Linear(out, out)
        self.norm = nn.LayerNorm(out)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b out"]:
        h = self.fc1(x)
        return F.normalize(self.norm(h + self.fc2(F.gelu(h))), dim=-1)


class Clip(nn.Module):
    def __init__(self, image: int = 64, text: int = 48, out: int = 32):
        super().__init__()
        self.text = nn.EmbeddingBag(200, text)
        self.image_proj = Projection(image, out)
        self.text_proj = Projection(text, out)
        self.scale = nn.Parameter(torch.tensor(2.6))

    def forward(self, image: Float[Tensor, "b image"], ids: Int[Tensor, "b t"]) -> Float[Tensor, ""]:
        v = self.image_proj(image)
        t = self.text_proj(self.text(ids))
        logits = self.scale.exp() * v @ t.T
        target = torch.arange(logits.shape[0])
        return (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2


def main() -> None:
    print(Clip()(torch.randn(6, 64), torch.randint(0, 200, (6, 9))).item())


if __name__ == "__main__":
    main()
