import torch
from torch import nn

COUNTS = {"road": 5000, "car": 800, "person": 300, "sky": 2000}


def class_weights(counts, background=False):
    freq = torch.tensor(list(counts.values()), dtype=torch.float32)
    weights = freq.sum() / freq
    if background:
        weights = torch.cat([torch.ones(1), weights])
    return weights


class Segmenter(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.inp = nn.Conv2d(3, 16, 3, padding=1)
        self.out = nn.Conv2d(16, classes, 1)

    def forward(self, x):
        return self.out(torch.relu(self.inp(x)))


def main():
    model = Segmenter(len(COUNTS) + 1)
    weight = class_weights(COUNTS)
    criterion = nn.CrossEntropyLoss(weight=weight)
    x, y = torch.rand(2, 3, 16, 16), torch.randint(0, 5, (2, 16, 16))
    loss = criterion(model(x), y)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
