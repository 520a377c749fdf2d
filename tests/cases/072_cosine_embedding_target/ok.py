import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class Siamese(nn.Module):
    def __init__(self, dim: int = 24):
        super().__init__()
        self.branch = nn.Sequential(
            nn.Conv1d(1, 8, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(6), nn.Flatten(), nn.Linear(48, dim)
        )

    def forward(
        self, a: Float[Tensor, "b 1 t"], b: Float[Tensor, "b 1 t"]
    ) -> tuple[Float[Tensor, "b dim"], Float[Tensor, "b dim"]]:
        return self.branch(a), self.branch(b)


def pairs(n: int = 10, t: int = 64):
    a, b = torch.randn(n, 1, t), torch.randn(n, 1, t)
    same = torch.arange(n) % 2 == 0
    b[same] = a[same] + 0.05 * torch.randn_like(a[same])
    target = same.float() * 2 - 1
    return a, b, target


def main() -> None:
    model = Siamese()
    criterion = nn.CosineEmbeddingLoss(margin=0.2)
    a, b, target = pairs()
    za, zb = model(a, b)
    loss = criterion(za, zb, target)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
