from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor, nn


@dataclass(frozen=True)
class Config:
    dim: int = 64
    heads: int = 8
    window: int = 5


class LocalAttention(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        assert cfg.dim % cfg.heads == 0, f"{cfg.dim} is not a multiple of {cfg.heads}"
        self.cfg = cfg
        self.qkv = nn.Linear(cfg.dim, 3 * cfg.dim)

    def mask(self, n: int) -> Float[Tensor, "n n"]:
        i = torch.arange(n)
        far = (i[:, None] - i[None, :]).abs() > self.cfg.window
        return torch.zeros(n, n).masked_fill(far, float("-inf"))

    def forward(self, x: Float[Tensor, "b n {self.cfg.dim}"]) -> Float[Tensor, "b n {self.cfg.dim}"]:
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.cfg.heads, -1).permute(2, 0, 3, 1, 4)
        att = q @ k.mT / q.shape[-1] ** 0.5 + self.mask(n)
        return (att.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d)


def main() -> None:
    base = Config()
    cfg = replace(base, dim=72)
    layer = LocalAttention(cfg)
    print(layer(torch.randn(2, 14, cfg.dim)).shape)


if __name__ == "__main__":
    main()
