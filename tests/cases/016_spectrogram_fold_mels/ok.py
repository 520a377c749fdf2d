import torch
from jaxtyping import Float
from torch import Tensor, nn


class Subsample(nn.Module):
    """(batch, time, 80) -> (batch, about time / 4, dim)"""

    def __init__(self, dim: int = 64, mels: int = 80):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, dim, 3, stride=2), nn.ReLU(), nn.Conv2d(dim, dim, 3, stride=2), nn.ReLU()
        )
        self.bins = ((mels - 1) // 2 - 1) // 2
        self.dim = dim
        self.out = nn.Linear(dim * self.bins, dim)

    def forward(self, x: Float[Tensor, "b t 80"]) -> Float[Tensor, "b t4 {self.dim}"]:
        h = self.conv(x.unsqueeze(1))
        b, c, t, f = h.shape
        h = h.transpose(1, 2).reshape(b, t, self.dim * self.bins)
        return self.out(h)


class Recognizer(nn.Module):
    def __init__(self, vocab: int = 30):
        super().__init__()
        self.front = Subsample()
        self.out = nn.Linear(64, vocab)

    def forward(self, x: Float[Tensor, "b t 80"]) -> Float[Tensor, "b t4 vocab"]:
        return self.out(self.front(x)).log_softmax(dim=-1)


def main() -> None:
    print(Recognizer()(torch.randn(2, 100, 80)).shape)


if __name__ == "__main__":
    main()
