from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn

TASKS = {
    "depth": {"out": 1, "loss": "l1"},
    "normals": {"out": 3, "loss": "cosine"},
    "semantic": {"out": 6, "loss": "ce"},
}


def l1(pred, target):
    return (pred - target).abs().mean()


def cosine(pred, target):
    return (1 - F.cosine_similarity(pred, target, dim=1)).mean()


LOSSES = {"l1": l1, "cosine": cosine, "ce": F.cross_entropy}


class MultiTask(nn.Module):
    def __init__(self, tasks, width=16):
        super().__init__()
        self.encoder = nn.Sequential(
            OrderedDict([("conv1", nn.Conv2d(3, width, 3, 1, 1)), ("relu", nn.ReLU()), ("conv2", nn.Conv2d(width, 2 * width, 3, 1, 1))])
        )
        self.heads = nn.ModuleDict({name: nn.Conv2d(2 * width, t["out"], 1) for name, t in tasks.items()})
        self.log_var = nn.ParameterDict({name: nn.Parameter(torch.zeros(())) for name in tasks})

    def forward(self, x):
        h = self.encoder(x)
        return {name: head(h) for name, head in self.heads.items()}

    def loss(self, out, target):
        total = 0.0
        for name, pred in out.items():
            raw = LOSSES[TASKS[name]["loss"]](pred, target[name])
            total = total + torch.exp(-self.log_var[name]) * raw + self.log_var[name]
        return total


def main():
    model = MultiTask(TASKS)
    x = torch.rand(2, 3, 8, 8)
    target = {
        "depth": torch.rand(2, 1, 8, 8),
        "normals": F.normalize(torch.randn(2, 3, 8, 8), dim=1),
        "semantic": torch.randint(0, 6, (2, 8, 8)),
    }
    model.loss(model(x), target).backward()


if __name__ == "__main__":
    main()
