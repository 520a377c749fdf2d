import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


def extract(table: Float[Tensor, " steps"], t: Int[Tensor, " b"], rank: int) -> Float[Tensor, "b *ones"]:
    out = table.gather(0, t)
    return out.reshape(t.shape[0], *((1,) * (rank - 1)))


class Diffusion(nn.Module):
    def __init__(self, model: nn.Module, steps: int = 100):
        super().__init__()
        self.model, self.steps = model, steps
        alphas = torch.cumprod(1.0 - torch.linspace(1e-4, 0.02, steps), dim=0)
        self.register_buffer("sqrt_a", alphas.sqrt())
        self.register_buffer("sqrt_1ma", (1.0 - alphas).sqrt())

    def noisy(
        self, x: Float[Tensor, "b c h w"], t: Int[Tensor, " b"], noise: Float[Tensor, "b c h w"]
    ) -> Float[Tensor, "b c h w"]:
        a, s = extract(self.sqrt_a, t, x.ndim), extract(self.sqrt_1ma, t, x.ndim)
        return a * x + s * noise

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, ""]:
        t = torch.randint(0, self.steps, (x.shape[0],))
        noise = torch.randn_like(x)
        return nn.functional.mse_loss(self.model(self.noisy(x, t, noise)), noise)


def main() -> None:
    net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.SiLU(), nn.Conv2d(16, 3, 3, padding=1))
    print(Diffusion(net)(torch.randn(6, 3, 16, 16)).item())


if __name__ == "__main__":
    main()
