from collections import namedtuple

import torch
from torch import nn

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward", "done"))


def make_net(obs=8, actions=4):
    return nn.Sequential(nn.Linear(obs, 64), nn.ReLU(), nn.Linear(64, actions))


class Agent:
    def __init__(self, gamma=0.99):
        self.online, self.target = make_net(), make_net()
        self.target.load_state_dict(self.online.state_dict())
        self.opt = torch.optim.Adam(self.online.parameters())
        self.gamma = gamma

    def learn(self, batch):
        q = self.online(batch.state).gather(1, batch.action.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.online(batch.next_state).argmax(dim=1, keepdim=True)
            next_q = self.target(batch.next_state).gather(1, best).squeeze(1)
            goal = batch.reward + self.gamma * next_q * (1.0 - batch.done)
        loss = nn.functional.smooth_l1_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    n = 32
    action, done = torch.randint(0, 4, (n,)), torch.zeros(n)
    batch = Transition(torch.randn(n, 8), action, torch.randn(n, 8), torch.randn(n), done)
    print(Agent().learn(batch))


if __name__ == "__main__":
    main()
