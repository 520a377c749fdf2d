import torch
from jaxtyping import Float
from torch import Tensor, nn


def expand_as(v: Float[Tensor, " b"], x: Float[Tensor, "b *rest"]) -> Float[Tensor, "b *ones"]:
    while v.ndim < x.ndim:
        v = v[..., None]
    return v


class Flow(nn.Module):
    def __init__(self, channels: int = 3, width: int = 16):
        super().__init__()
        self.t = nn.Linear(1, width)
        self.inp, self.out = nn.Conv2d(channels, width, 3, padding=1), nn.Conv2d(width, channels, 3, padding=1)

    def forward(self, x: Float[Tensor, "b c h w"], t: Float[Tensor, " b"]) -> Float[Tensor, "b c h w"]:
        h = self.inp(x) + self.t(t[:, None])[..., None, None]
        return self.out(nn.functional.silu(h))


def flow_matching(model: Flow, x1: Float[Tensor, "b c h w"]) -> Float[Tensor, ""]:
    x0, t = torch.randn_like(x1), torch.rand(x1.shape[0])
    xt = (1 - t) * x0 + t * x1
    return (model(xt, t) - (x1 - x0)).square().mean()


@torch.no_grad()
def sample(model: Flow, n: int, steps: int = 4) -> Float[Tensor, "n 3 8 8"]:
    x = torch.randn(n, 3, 8, 8)
    for t in torch.linspace(0, 1, steps):
        x = x + model(x, t.expand(n)) / steps
    return x


def main() -> None:
    model = Flow()
    print(flow_matching(model, torch.rand(4, 3, 8, 8)).item(), sample(model, 2).shape)


if __name__ == "__main__":
    main()
