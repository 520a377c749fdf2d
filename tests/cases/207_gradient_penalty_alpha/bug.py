import torch
from torch import autograd, nn


class Critic(nn.Module):
    def __init__(self, ch=3, width=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(ch, width, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv2d(width, 2 * width, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Flatten(), nn.Linear(2 * width * 16, 1),
        )

    def forward(self, x):
        return self.net(x)


def gradient_penalty(critic, real, fake, weight=10.0):
    alpha = torch.rand(real.size(0), 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    (grad,) = autograd.grad(score, mixed, torch.ones_like(score), create_graph=True)
    return weight * ((grad.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def main():
    critic = Critic()
    real, fake = torch.rand(5, 3, 16, 16), torch.rand(5, 3, 16, 16)
    loss = critic(fake).mean() - critic(real).mean() + gradient_penalty(critic, real, fake)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
