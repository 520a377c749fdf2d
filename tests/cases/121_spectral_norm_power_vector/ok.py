import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class SpectralLinear(nn.Module):
    def __init__(self, cin: int, cout: int, steps: int = 1):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(cout, cin) * 0.1)
        self.bias = nn.Parameter(torch.zeros(cout))
        self.register_buffer("u", F.normalize(torch.randn(cout), dim=0))
        self.steps = steps

    @torch.no_grad()
    def power(self) -> tuple[Float[Tensor, " cout"], Float[Tensor, " cin"]]:
        u = self.u
        for _ in range(self.steps):
            v = F.normalize(self.weight.t().mv(u), dim=0)
            u = F.normalize(self.weight.mv(v), dim=0)
        self.u.copy_(u)
        return u, v

    def forward(self, x: Float[Tensor, "b cin"]) -> Float[Tensor, "b cout"]:
        u, v = self.power()
        sigma = torch.dot(u, self.weight @ v)
        return F.linear(x, self.weight / sigma, self.bias)


def main() -> None:
    critic = nn.Sequential(SpectralLinear(20, 32), nn.LeakyReLU(0.2), SpectralLinear(32, 1))
    real, fake = torch.randn(8, 20), torch.randn(8, 20) + 1
    loss = F.relu(1 - critic(real)).mean() + F.relu(1 + critic(fake)).mean()
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
