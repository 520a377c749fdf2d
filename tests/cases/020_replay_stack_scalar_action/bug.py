import torch
from jaxtyping import Float
from torch import Tensor, nn


class Critic(nn.Module):
    def __init__(self, obs: int = 3, act: int = 1):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(obs + act, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, obs: Float[Tensor, "b obs"], act: Float[Tensor, "b act"]) -> Float[Tensor, "b 1"]:
        return self.q(torch.cat([obs, act], dim=-1))


class Actor(nn.Module):
    def __init__(self, obs: int = 3, act: int = 1, limit: float = 2.0):
        super().__init__()
        self.limit = limit
        self.net = nn.Sequential(nn.Linear(obs, 32), nn.ReLU(), nn.Linear(32, act), nn.Tanh())

    def forward(self, obs: Float[Tensor, "b obs"]) -> Float[Tensor, "b act"]:
        return self.limit * self.net(obs)


def actor_loss(actor: Actor, critic: Critic, obs: Float[Tensor, "b obs"]) -> Float[Tensor, ""]:
    action = actor(obs)
    joint = torch.cat([obs, action.squeeze(-1)], dim=-1)
    return -critic.q(joint).mean()


def main() -> None:
    loss = actor_loss(Actor(), Critic(), torch.randn(12, 3))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
