import importlib
import inspect

import torch
from torch import nn


def locate(path):
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def instantiate(spec, **defaults):
    target = locate(spec["_target_"])
    allowed = inspect.signature(target).parameters
    options = {k: v for k, v in spec.items() if k != "_target_"}
    options = {**{k: v for k, v in defaults.items() if k in allowed}, **options}
    return target(**options)


EXPERIMENT = {
    "model": {"width": 16, "depth": 2, "norm": {"_target_": "torch.nn.BatchNorm2d"}},
    "optimizer": {"_target_": "torch.optim.AdamW", "lr": 1e-3},
    "data": {"batch_size": 4, "size": 20, "classes": 3},
}


class Block(nn.Module):
    def __init__(self, width, norm):
        super().__init__()
        self.depthwise = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm = instantiate(norm, normalized_shape=width, num_features=width)
        self.mlp = nn.Sequential(nn.Conv2d(width, 4 * width, 1), nn.GELU(), nn.Conv2d(4 * width, width, 1))

    def forward(self, x):
        return x + self.mlp(self.norm(self.depthwise(x)))


class ConvNet(nn.Module):
    def __init__(self, width, depth, norm, classes):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 4, stride=4)
        self.blocks = nn.Sequential(*[Block(width, norm) for _ in range(depth)])
        self.head = nn.Linear(width, classes)

    def forward(self, images):
        return self.head(self.blocks(self.stem(images)).mean((2, 3)))


class Module:
    def __init__(self, config):
        self.net = ConvNet(**config["model"], classes=config["data"]["classes"])
        self.optimizer = instantiate(config["optimizer"], params=self.net.parameters())

    def training_step(self, batch):
        images, labels = batch
        return nn.functional.cross_entropy(self.net(images), labels)

    def fit(self, loader):
        for batch in loader:
            loss = self.training_step(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


def loader(batch_size, size, classes, batches=2):
    for _ in range(batches):
        yield torch.rand(batch_size, 3, size, size), torch.randint(0, classes, (batch_size,))


def main(config=EXPERIMENT):
    print(Module(config).fit(loader(**config["data"])))


if __name__ == "__main__":
    main()
