import torch
from torch import nn


class SegNetMini(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.enc1 = nn.Conv2d(3, 16, 3, padding=1)
        self.enc2 = nn.Conv2d(16, 32, 3, padding=1)
        self.pool = nn.MaxPool2d(2, stride=2, return_indices=True)
        self.unpool = nn.MaxUnpool2d(2, stride=2)
        self.dec2 = nn.Conv2d(32, 16, 3, padding=1)
        self.dec1 = nn.Conv2d(16, classes, 3, padding=1)

    def forward(self, x):
        x, idx1 = self.pool(torch.relu(self.enc1(x)))
        x, idx2 = self.pool(torch.relu(self.enc2(x)))
        x = torch.relu(self.dec2(self.unpool(x, idx1)))
        x = self.dec1(self.unpool(x, idx2))
        return x


def main():
    net = SegNetMini()
    logits = net(torch.randn(2, 3, 32, 32))
    target = torch.randint(0, 4, (2, 32, 32))
    loss = nn.functional.cross_entropy(logits, target)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
