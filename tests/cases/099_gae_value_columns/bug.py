import torch
from jaxtyping import Float
from torch import Tensor, nn


def td_errors(
    rewards: Float[Tensor, " t"], values: Float[Tensor, "t 1"], last: Float[Tensor, "1 1"], gamma: float = 0.9
) -> Tensor:
    following = torch.cat([values[1:], last], dim=0)
    return rewards + gamma * following - values


def gae(delta: Tensor, decay: float = 0.8) -> Tensor:
    out, running = [], torch.zeros_like(delta[0])
    for d in delta.flip(0):
        running = d + decay * running
        out.append(running)
    return torch.stack(out[::-1])


class Value(nn.Module):
    def __init__(self, obs: int = 4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, obs: Float[Tensor, "t obs"]) -> Float[Tensor, "t 1"]:
        return self.net(obs)


def main() -> None:
    value = Value()
    obs, last_obs = torch.randn(12, 4), torch.randn(1, 4)
    with torch.no_grad():
        adv = gae(td_errors(torch.rand(12), value(obs), value(last_obs)))
    print((value(obs) * adv).mean().item())


if __name__ == "__main__":
    main()
