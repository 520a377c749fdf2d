import torch
import torch.nn as nn


def weights_init(m):
    name = m.__class__.__name__
    if name.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif name.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class Discriminator(nn.Module):
    def __init__(self, nc=3, ndf=8):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(nc, ndf, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ndf * 2),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.main(x).view(-1, 1).squeeze(1)


def train_step(netD, netG, real, opts, criterion, nz=16):
    optD, optG = opts
    b = real.size(0)
    label = torch.full((b,), 1.0)
    netD.zero_grad()
    errD_real = criterion(netD(real), label)
    errD_real.backward()
    fake = netG(torch.randn(b, nz, 1, 1))
    label.fill_(0.0)
    errD_fake = criterion(netD(fake.detach()), label)
    errD_fake.backward()
    optD.step()
    netG.zero_grad()
    label.fill_(1.0)
    errG = criterion(netD(fake), label)
    errG.backward()
    optG.step()
    return errD_real.item() + errD_fake.item(), errG.item()


def main():
    netD = Discriminator().apply(weights_init)
    netG = nn.Sequential(
        nn.ConvTranspose2d(16, 16, 4, 1, 0), nn.ReLU(True),
        nn.ConvTranspose2d(16, 8, 4, 2, 1), nn.ReLU(True),
        nn.ConvTranspose2d(8, 3, 4, 2, 1), nn.Tanh(),
    ).apply(weights_init)
    opts = torch.optim.Adam(netD.parameters(), 2e-4), torch.optim.Adam(netG.parameters(), 2e-4)
    size = 32
    real = torch.rand(4, 3, size, size) * 2 - 1
    print(train_step(netD, netG, real, opts, nn.BCELoss()))


if __name__ == "__main__":
    main()
