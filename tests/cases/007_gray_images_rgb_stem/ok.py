import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Digits(Dataset):
    def __init__(self, n=12):
        self.images = torch.rand(n, 1, 28, 28)
        self.labels = torch.arange(n) % 10

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], self.labels[i]


class ColourNet(nn.Module):
    def __init__(self, channels=3):
        super().__init__()
        self.c1 = nn.Conv2d(channels, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


def main():
    net = ColourNet(channels=1)
    for images, labels in DataLoader(Digits(), batch_size=4):
        loss = F.cross_entropy(net(images), labels)
    print(loss.item())


if __name__ == "__main__":
    main()
