import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical


class Net(nn.Module):
    def __init__(self, obs=10, actions=5, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, width), nn.ReLU())
        self.actor = nn.Linear(width, actions)
        self.critic = nn.Linear(width, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.actor(h)), self.critic(h)


def a2c_loss(net, obs, actions, returns, beta=0.01):
    """obs (B, 10), actions (B,), returns (B,)"""
    dist, value = net(obs)
    advantage = returns - value
    actor = -(dist.log_prob(actions) * advantage.detach()).mean()
    critic = advantage.pow(2).mean()
    return actor + 0.5 * critic - beta * dist.entropy().mean()


def main():
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=7e-4)
    for _ in range(2):
        obs, returns = torch.randn(14, 10), torch.randn(14)
        with torch.no_grad():
            actions = net(obs)[0].sample()
        loss = a2c_loss(net, obs, actions, returns)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item(), F.relu(loss).item())


if __name__ == "__main__":
    main()
