import torch
from torch import nn


class NLayerDiscriminator(nn.Module):
    def __init__(self, input_nc, ndf=8, n_layers=2):
        super().__init__()
        sequence = [nn.Conv2d(input_nc, ndf, 4, 2, 1), nn.LeakyReLU(0.2, True)]
        nf_mult = 1
        for n in range(1, n_layers):
            prev, nf_mult = nf_mult, min(2 ** n, 8)
            sequence += [
                nn.Conv2d(ndf * prev, ndf * nf_mult, 4, 2, 1, bias=False),
                nn.BatchNorm2d(ndf * nf_mult),
                nn.LeakyReLU(0.2, True),
            ]
        prev, nf_mult = nf_mult, min(2 ** n_layers, 8)
        sequence += [nn.Conv2d(ndf * prev, ndf * nf_mult, 4, 1, 1), nn.Conv2d(ndf * nf_mult, 1, 4, 1, 1)]
        self.model = nn.Sequential(*sequence)

    def forward(self, x):
        return self.model(x)


class GANLoss(nn.Module):
    def __init__(self, mode="lsgan", real=1.0, fake=0.0):
        super().__init__()
        self.register_buffer("real_label", torch.tensor(real))
        self.register_buffer("fake_label", torch.tensor(fake))
        self.loss = {"lsgan": nn.MSELoss, "vanilla": nn.BCEWithLogitsLoss}[mode]()

    def __call__(self, prediction, is_real):
        target = self.real_label if is_real else self.fake_label
        return self.loss(prediction, target.expand_as(prediction))


class Pix2Pix:
    def __init__(self, input_nc=3, output_nc=2):
        self.netG = nn.Sequential(nn.Conv2d(input_nc, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, output_nc, 3, padding=1), nn.Tanh())
        self.netD = NLayerDiscriminator(output_nc)
        self.criterion = GANLoss()

    def loss_D(self, a, b):
        fake = torch.cat((a, self.netG(a)), 1)
        pred_fake = self.netD(fake.detach())
        pred_real = self.netD(torch.cat((a, b), 1))
        return 0.5 * (self.criterion(pred_fake, False) + self.criterion(pred_real, True))


if __name__ == "__main__":
    print(Pix2Pix().loss_D(torch.rand(2, 3, 32, 32), torch.rand(2, 2, 32, 32)).item())
