import torch
import torch.nn.functional as F
from torch import nn


class ConditionalGenerator(nn.Module):
    def __init__(self, n_classes=10, z_dim=16, hidden=32, img=(1, 8, 8)):
        super().__init__()
        self.n_classes, self.z_dim, self.img = n_classes, z_dim, img
        self.label_net = nn.Linear(n_classes, 8)
        out = 1
        for s in img:
            out *= s
        self.net = nn.Sequential(nn.Linear(z_dim + 8, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, out), nn.Tanh())

    def forward(self, z, label):
        y = F.one_hot(label, num_classes=self.n_classes)
        y = self.label_net(y)
        return self.net(torch.cat((z, y), dim=1)).view(z.size(0), *self.img)

    def sample(self, n):
        z = torch.randn(n, self.z_dim)
        label = torch.arange(n) % self.n_classes
        return self(z, label), label


def main():
    gen = ConditionalGenerator()
    imgs, labels = gen.sample(12)
    assert imgs.shape == (12, 1, 8, 8)
    print(imgs.mean().item(), labels.tolist())


if __name__ == "__main__":
    main()
