import torch
from torch import nn

LATENT = 24


def up(cin, cout, k, s, p):
    return [nn.ConvTranspose2d(cin, cout, k, s, p, bias=False), nn.BatchNorm2d(cout), nn.ReLU(True)]


class Generator(nn.Module):
    def __init__(self, latent=LATENT, ngf=16, channels=3):
        super().__init__()
        self.main = nn.Sequential(
            *up(latent, ngf * 4, 4, 1, 0),
            *up(ngf * 4, ngf * 2, 4, 2, 1),
            nn.ConvTranspose2d(ngf * 2, channels, 4, 2, 1),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


def sample(generator, n):
    generator.eval()
    with torch.no_grad():
        return generator(torch.randn(n, LATENT))


def main():
    fake = sample(Generator(), 5)
    print(fake.shape, fake.min().item())


if __name__ == "__main__":
    main()
