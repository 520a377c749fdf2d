from typing import Optional

import torch
from jaxtyping import Float
from torch import Tensor, nn


class FiLM(nn.Module):
    def __init__(self, cond: int, channels: int) -> None:
        super().__init__()
        self.to_gb = nn.Linear(cond, 2 * channels)

    def forward(self, x: Float[Tensor, "b c t"], cond: Float[Tensor, "b k"]) -> Float[Tensor, "b c t"]:
        gamma, beta = self.to_gb(cond).chunk(2, dim=-1)
        return x * (1 + gamma) + beta


class Residual(nn.Module):
    def __init__(self, ch: int, cond: Optional[int], dilation: int) -> None:
        super().__init__()
        self.conv = nn.Conv1d(ch, 2 * ch, 3, dilation=dilation, padding=dilation)
        self.film = FiLM(cond, 2 * ch) if cond is not None else None

    def forward(self, x: Float[Tensor, "b c t"], cond: Optional[Float[Tensor, "b k"]] = None) -> Float[Tensor, "b c t"]:
        y = self.conv(x)
        if self.film is not None:
            assert cond is not None
            y = self.film(y, cond)
        a, b = y.chunk(2, dim=1)
        return x + torch.tanh(a) * torch.sigmoid(b)


class Vocoder(nn.Module):
    def __init__(self, ch: int = 8, cond: Optional[int] = 5) -> None:
        super().__init__()
        self.inp, self.out = nn.Conv1d(1, ch, 1), nn.Conv1d(ch, 1, 1)
        self.blocks = nn.ModuleList(Residual(ch, cond, 2 ** i) for i in range(3))

    def forward(self, wav: Float[Tensor, "b 1 t"], cond: Optional[Float[Tensor, "b k"]] = None) -> Float[Tensor, "b 1 t"]:
        h = self.inp(wav)
        for block in self.blocks:
            h = block(h, cond)
        return self.out(h)


def main() -> None:
    wav = torch.randn(2, 1, 40)
    print(Vocoder(cond=None)(wav).shape, Vocoder()(wav, torch.randn(2, 5)).shape)


if __name__ == "__main__":
    main()
