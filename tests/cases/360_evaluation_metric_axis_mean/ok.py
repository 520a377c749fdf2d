import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Metric:
    """Base class: reset, update, compute."""

    def __init__(self):
        self.reset()

    def reset(self):
        raise NotImplementedError

    def update(self, pred, target):
        raise NotImplementedError

    def __call__(self, pred, target):
        self.update(pred, target)
        return self.compute()


class ConfusionMatrix(Metric):
    def __init__(self, classes, normalize=True):
        self.classes, self.normalize = classes, normalize
        super().__init__()

    def reset(self):
        self.counts = torch.zeros(self.classes, self.classes)

    def update(self, pred, target):
        index = target * self.classes + pred
        self.counts += torch.bincount(index, minlength=self.classes**2).view(self.classes, self.classes)

    def compute(self):
        counts = self.counts
        if self.normalize:
            counts = counts / counts.sum(1, keepdim=True).clamp(min=1)
        return counts


class Recall(ConfusionMatrix):
    def compute(self):
        return super().compute().diagonal()


class Collection:
    def __init__(self, **metrics):
        self.metrics = metrics

    def update(self, pred, target):
        for metric in self.metrics.values():
            metric.update(pred, target)

    def compute(self):
        return {name: metric.compute() for name, metric in self.metrics.items()}


class Classifier(nn.Module):
    def __init__(self, features=6, classes=3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, 16), nn.ReLU(), nn.Linear(16, classes))

    def forward(self, x):
        return self.net(x)


def evaluate(model, loader, metrics):
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            metrics.update(model(x).argmax(dim=1), y)
    return metrics.compute()


def main(classes=3):
    data = TensorDataset(torch.randn(50, 6), torch.randint(0, classes, (50,)))
    metrics = Collection(confusion=ConfusionMatrix(classes), recall=Recall(classes))
    for name, value in evaluate(Classifier(classes=classes), DataLoader(data, batch_size=16), metrics).items():
        print(name, value)


if __name__ == "__main__":
    main()
