import torch
from torch import nn


def weighted(scores, weights):
    """Per-sample scores (N,) times importance weights (N,)."""
    return scores * weights


class Critic(nn.Module):
    def __init__(self, n=6):
        super().__init__()
        self.net = nn.Sequential(nn.utils.spectral_norm(nn.Linear(n, 16)), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


def wgan_loss(critic, real, fake, w_real):
    return weighted(critic(fake), torch.ones(len(fake))).mean() - weighted(critic(real), w_real).mean()


def main():
    critic, gen = Critic(), nn.Linear(3, 6)
    real, w = torch.randn(9, 6), torch.softmax(torch.randn(9), dim=0) * 9
    opt = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
    for _ in range(2):
        loss = wgan_loss(critic, real, gen(torch.randn(9, 3)).detach(), w)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for p in critic.parameters():
            p.data.clamp_(-0.01, 0.01)
    print(loss.item())


if __name__ == "__main__":
    main()
