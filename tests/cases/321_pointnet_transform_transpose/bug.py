import torch
import torch.nn.functional as F
from torch import nn


class SharedMLP(nn.Sequential):
    def __init__(self, *widths):
        layers = []
        for a, b in zip(widths[:-1], widths[1:]):
            layers += [nn.Conv1d(a, b, 1), nn.BatchNorm1d(b), nn.ReLU()]
        super().__init__(*layers)


class TNet(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.features = SharedMLP(k, 16, 32)
        self.fc = nn.Linear(32, k * k)
        nn.init.zeros_(self.fc.weight)
        self.fc.bias.data.copy_(torch.eye(k).flatten())

    def forward(self, x):
        return self.fc(self.features(x).amax(dim=2)).view(-1, self.k, self.k)


class PointNetEncoder(nn.Module):
    def __init__(self, feature_transform=True):
        super().__init__()
        self.input_net = TNet(3)
        self.mlp1 = SharedMLP(3, 16)
        self.feature_net = TNet(16) if feature_transform else None
        self.mlp2 = SharedMLP(16, 32, 64)

    def align(self, x, matrix):
        return torch.bmm(x, matrix)

    def forward(self, points):
        x = points.transpose(1, 2)
        x = self.align(x, self.input_net(x))
        x = self.mlp1(x)
        matrix = None
        if self.feature_net is not None:
            matrix = self.feature_net(x)
            x = self.align(x, matrix)
        return self.mlp2(x).amax(dim=2), matrix


def orthogonality(matrix):
    eye = torch.eye(matrix.shape[-1])
    return (matrix @ matrix.mT - eye).pow(2).sum(dim=(1, 2)).mean()


class Classifier(nn.Module):
    def __init__(self, classes=8):
        super().__init__()
        self.encoder = PointNetEncoder()
        self.head = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, classes))

    def forward(self, points):
        features, matrix = self.encoder(points)
        return self.head(features), matrix


def jitter(points, sigma=0.01):
    return points + sigma * torch.randn_like(points).clamp(-0.05, 0.05)


def main():
    model = Classifier()
    points, labels = jitter(torch.rand(4, 128, 3)), torch.randint(0, 8, (4,))
    logits, matrix = model(points)
    loss = F.cross_entropy(logits, labels) + 0.001 * orthogonality(matrix)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
