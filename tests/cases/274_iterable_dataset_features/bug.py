import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Spectrograms(IterableDataset):
    def __init__(self, n=6, mels=40, frames=64):
        self.n, self.mels, self.frames = n, mels, frames

    def __iter__(self):
        for i in range(self.n):
            yield torch.rand(self.mels, self.frames), i % 3


class AudioCNN(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.bn0 = nn.BatchNorm2d(40)
        self.conv = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.AvgPool2d(2))
        self.fc = nn.Linear(8, classes)

    def forward(self, x):
        x = self.bn0(x.transpose(1, 2)).transpose(1, 2)
        x = self.conv(x)
        return self.fc(x.mean(dim=(2, 3)))


def main():
    model = AudioCNN()
    for x, y in DataLoader(Spectrograms(), batch_size=3):
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
