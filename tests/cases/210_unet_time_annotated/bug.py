import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

Image = Float[Tensor, "b c h w"]


class Down(nn.Module):
    def __init__(self, cin: int, cout: int, t_dim: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, stride=2, padding=1)
        self.t = nn.Linear(t_dim, cout)

    def forward(self, x: Float[Tensor, "b cin h w"], t: Float[Tensor, "b t_dim"]) -> Float[Tensor, "b cout h2 w2"]:
        return F.silu(self.conv(x) + self.t(t)[..., None, None])


class Up(nn.Module):
    def __init__(self, cin: int, skip: int, cout: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(cin + skip, cout, 3, padding=1)

    def forward(self, x: Float[Tensor, "b cin h w"], skip: Float[Tensor, "b cs h2 w2"]) -> Float[Tensor, "b cout h2 w2"]:
        x = F.interpolate(x, scale_factor=2.0, mode="nearest")
        return F.silu(self.conv(torch.cat([x, skip], dim=1)))


class TinyUNet(nn.Module):
    def __init__(self, ch: tuple[int, ...] = (8, 16, 32), t_dim: int = 12, steps: int = 50) -> None:
        super().__init__()
        self.time = nn.Embedding(steps, t_dim)
        self.stem = nn.Conv2d(1, ch[0], 3, padding=1)
        self.downs = nn.ModuleList(Down(a, b, t_dim) for a, b in zip(ch, ch[1:]))
        self.ups = nn.ModuleList(Up(b, a, a) for a, b in reversed(list(zip(ch, ch[1:]))))
        self.out = nn.Conv2d(ch[0], 1, 1)

    def forward(self, x: Image, step: Int[Tensor, "b"]) -> Image:
        t = self.time(step)
        x = self.stem(x)
        skips = []
        for down in self.downs:
            skips.append(x)
            x = down(x, t)
        for up in self.ups:
            x = up(x, skips.pop())
        return self.out(x)


def main() -> None:
    x = torch.randn(2, 1, 30, 30)
    print(TinyUNet()(x, torch.randint(0, 50, (2,))).shape)


if __name__ == "__main__":
    main()
