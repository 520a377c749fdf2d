import torch
from torch import autograd, nn


class Generator(nn.Module):
    def __init__(self, noise=16, labels=5, width=16, size=16):
        super().__init__()
        self.start = size // 4
        self.fc = nn.Linear(noise + labels, width * self.start**2)
        self.net = nn.Sequential(
            nn.ConvTranspose2d(width, width, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(width, 3, 4, 2, 1), nn.Tanh()
        )
        self.width = width

    def forward(self, z, y):
        x = self.fc(torch.cat([z, y], dim=1))
        return self.net(x.view(-1, self.width, self.start, self.start))


class Critic(nn.Module):
    def __init__(self, labels=5, width=16):
        super().__init__()
        self.image = nn.Sequential(
            nn.Conv2d(3, width, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(width, width, 4, 2, 1), nn.LeakyReLU(0.2)
        )
        self.score = nn.Sequential(nn.Linear(width + labels, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x, y):
        h = self.image(x).mean(dim=(2, 3))
        return self.score(torch.cat([h, y], dim=1)).squeeze(1)


class WGANGP:
    def __init__(self, generator, critic, weight=10.0):
        self.generator, self.critic, self.weight = generator, critic, weight
        self.opt_g = torch.optim.Adam(generator.parameters(), lr=1e-4, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(critic.parameters(), lr=1e-4, betas=(0.0, 0.9))

    def between(self, real, fake, alpha):
        return alpha * real + (1 - alpha) * fake

    def penalty(self, real, fake, real_y, fake_y):
        alpha = torch.rand(real.shape[0], 1, 1, 1)
        x = self.between(real, fake, alpha).requires_grad_(True)
        y = self.between(real_y, fake_y, alpha)
        (grad,) = autograd.grad(self.critic(x, y).sum(), x, create_graph=True)
        return (grad.flatten(1).norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, real, y):
        z, fake_y = torch.randn(len(real), 16), y[torch.randperm(len(y))]
        fake = self.generator(z, fake_y).detach()
        gap = self.critic(fake, fake_y).mean() - self.critic(real, y).mean()
        loss = gap + self.weight * self.penalty(real, fake, y, fake_y)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        return loss.item()

    def generator_step(self, y):
        loss = -self.critic(self.generator(torch.randn(len(y), 16), y), y).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()


def attributes(count, labels=5):
    return nn.functional.one_hot(torch.randint(0, labels, (count,)), labels).float()


def main():
    gan = WGANGP(Generator(), Critic())
    for _ in range(2):
        print(gan.critic_step(torch.rand(4, 3, 16, 16) * 2 - 1, attributes(4)))
    gan.generator_step(attributes(4))


if __name__ == "__main__":
    main()
