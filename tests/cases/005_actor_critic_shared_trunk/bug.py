from typing import NamedTuple

import torch
from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn


class Sizes(NamedTuple):
    obs: int = 17
    hidden: int = 64
    act: int = 6


class ActorCritic(nn.Module):
    def __init__(self, sizes: Sizes):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(sizes.obs, sizes.hidden), nn.Tanh())
        self.mu = nn.Linear(sizes.hidden, sizes.act)
        self.log_std = nn.Parameter(torch.zeros(sizes.act))
        self.value = nn.Linear(sizes.obs, 1)

    @jaxtyped(typechecker=beartype)
    def forward(
        self, obs: Float[Tensor, "batch obs"]
    ) -> tuple[Float[Tensor, "batch act"], Float[Tensor, "batch act"], Float[Tensor, "batch"]]:
        h = self.trunk(obs)
        mu = self.mu(h)
        std = self.log_std.exp().expand_as(mu)
        return mu, std, self.value(h).squeeze(-1)


def main() -> None:
    sizes = Sizes(act=4)
    mu, std, value = ActorCritic(sizes)(torch.randn(10, sizes.obs))
    action = torch.distributions.Normal(mu, std).sample()
    print(action.shape, value.shape)


if __name__ == "__main__":
    main()
