from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn


class Encoder(nn.Module, ABC):
    @property
    @abstractmethod
    def out_dim(self) -> int: ...

    @abstractmethod
    def encode(self, x: Tensor) -> Tensor: ...

    def forward(self, x: Tensor) -> Tensor:
        h = self.encode(x)
        return h.flatten(1) if h.ndim > 2 else h


class ConvEncoder(Encoder):
    def __init__(self, c: int, size: int):
        super().__init__()
        self.c, self.size = c, size
        self.conv = nn.Conv2d(1, c, 5, stride=2)

    @property
    def out_dim(self) -> int:
        side = (self.size - 5) // 2
        return self.c * side * side

    def encode(self, x):
        return torch.relu(self.conv(x))


class FlatEncoder(Encoder):
    out_dim = 64

    def __init__(self, n_in):
        super().__init__()
        self.fc = nn.Linear(n_in, self.out_dim)

    def encode(self, x):
        return torch.relu(self.fc(x.flatten(1)))


class Policy(nn.Module):
    def __init__(self, encoder: Encoder, n_actions: int):
        super().__init__()
        self.encoder = encoder
        self.logits = nn.Linear(encoder.out_dim, n_actions)

    def forward(self, obs: Tensor) -> Tensor:
        return self.logits(self.encoder(obs))


def main():
    obs = torch.rand(3, 1, 20, 20)
    for enc in (FlatEncoder(400), ConvEncoder(8, 20)):
        dist = torch.distributions.Categorical(logits=Policy(enc, 4)(obs))
        print(dist.sample().shape, dist.entropy().mean().item())


if __name__ == "__main__":
    main()
