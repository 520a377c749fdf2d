import torch
from torch import nn

REAL, FAKE = 1, 0


class Critic(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, width, 4, 2, 1),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width, 1, 8),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.main(x).view(-1)


def critic_loss(critic, real, fake):
    criterion = nn.BCELoss()
    label = torch.full((real.size(0),), REAL)
    loss = criterion(critic(real), label)
    label = torch.full_like(label, FAKE)
    return loss + criterion(critic(fake.detach()), label)


def main():
    critic = Critic()
    real, fake = torch.rand(6, 1, 16, 16), torch.rand(6, 1, 16, 16)
    loss = critic_loss(critic, real, fake)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
