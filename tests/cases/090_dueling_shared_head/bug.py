import torch
from torch import nn


def mlp(sizes, act=nn.ReLU):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i < len(sizes) - 2:
            layers.append(act())
    return nn.Sequential(*layers)


class GoalValue(nn.Module):
    def __init__(self, obs=11, goal=3, width=40):
        super().__init__()
        self.obs_net = mlp([obs, width, width])
        self.goal_net = mlp([goal, width, 24])
        self.project = mlp([width, 16], act=nn.Tanh)
        self.project_goal = mlp([24, 16])

    def forward(self, obs, goal):
        a = self.project(self.obs_net(obs))
        b = self.project(self.goal_net(goal))
        return (a * b).sum(dim=-1)


def main():
    net = GoalValue()
    value = net(torch.randn(9, 11), torch.randn(9, 3))
    target = torch.randn(9)
    loss = torch.nn.functional.huber_loss(value, target)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
