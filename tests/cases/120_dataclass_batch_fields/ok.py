from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn


@dataclass
class Batch:
    obs: Float[Tensor, "b obs"]
    action: Float[Tensor, "b act"]
    reward: Float[Tensor, "b 1"]


class RewardModel(nn.Module):
    def __init__(self, obs: int = 8, act: int = 2):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs + act, 24), nn.Mish(), nn.Linear(24, 1))

    def forward(self, obs: Float[Tensor, "b obs"], action: Float[Tensor, "b act"]) -> Float[Tensor, " b"]:
        return self.net(torch.cat([obs, action], dim=-1))[..., 0]


def reward_loss(model: nn.Module, batch: Batch) -> Float[Tensor, ""]:
    pred = model(batch.obs, batch.action)
    return nn.functional.smooth_l1_loss(pred, batch.reward.squeeze(-1))


def main() -> None:
    model = RewardModel()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(3):
        batch = Batch(torch.randn(16, 8), torch.rand(16, 2), torch.randn(16, 1))
        loss = reward_loss(model, batch)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
