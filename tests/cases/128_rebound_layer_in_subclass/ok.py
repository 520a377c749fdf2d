import torch
from torch import nn


class Backbone(nn.Module):
    feature_dim = 64

    def __init__(self, classes=1000):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, 32, 3, 2), nn.ReLU(), nn.Conv2d(32, self.feature_dim, 3, 2))
        self.fc = nn.Linear(self.feature_dim, classes)

    def features(self, x):
        return self.conv(x).amax(dim=(-2, -1))

    def forward(self, x):
        return self.fc(self.features(x))


class FineTuned(Backbone):
    def __init__(self, classes):
        super().__init__()
        for p in self.conv.parameters():
            p.requires_grad = False
        n = self.fc.in_features
        self.fc = nn.Sequential(nn.Dropout(0.2), nn.Linear(n, classes))


def main():
    model = FineTuned(classes=5).train()
    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.SGD(params, lr=0.01)
    loss = nn.functional.cross_entropy(model(torch.rand(4, 3, 33, 33)), torch.tensor([0, 1, 4, 2]))
    loss.backward()
    opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
