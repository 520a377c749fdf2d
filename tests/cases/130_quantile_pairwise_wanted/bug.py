import torch
import torch.nn.functional as F
from torch import nn


class QRNet(nn.Module):
    def __init__(self, obs=6, actions=3, n=8):
        super().__init__()
        self.actions, self.n = actions, n
        self.net = nn.Sequential(nn.Linear(obs, 32), nn.ReLU(), nn.Linear(32, actions * n))
        self.register_buffer("tau", (torch.arange(n).float() + 0.5) / n)

    def forward(self, obs):
        return self.net(obs).view(-1, self.actions, self.n)


def quantile_loss(theta, target, tau, kappa=1.0):
    """theta (B, N), target (B, M), tau (N,)"""
    diff = target.unsqueeze(1) - theta.unsqueeze(2)
    huber = F.smooth_l1_loss(theta.unsqueeze(2).expand_as(diff), target.unsqueeze(1).expand_as(diff),
                             reduction="none", beta=kappa)
    weight = (tau - (diff.detach() < 0).float()).abs()
    return (weight * huber).mean(dim=2).sum(dim=1).mean()


def main():
    net, b = QRNet(), 12
    action = torch.randint(0, 3, (b,))
    theta = net(torch.randn(b, 6))[torch.arange(b), action]
    with torch.no_grad():
        nxt = net(torch.randn(b, 6))
        best = nxt.mean(dim=2).argmax(dim=1)
        target = torch.randn(b, 1) + 0.99 * nxt[torch.arange(b), best]
    loss = quantile_loss(theta, target, net.tau)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
