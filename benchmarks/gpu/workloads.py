"""The models that are measured, with inputs."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from benchmarks.gpt import GPT, VOCABULARY


def gpt(device: torch.device, batch: int = 4, time: int = 128) -> tuple[nn.Module, Tensor]:
    torch.manual_seed(0)
    return GPT().eval().to(device), torch.randint(0, VOCABULARY, (batch, time), device=device)


def convolutions(device: torch.device) -> tuple[nn.Module, Tensor]:
    torch.manual_seed(0)
    sizes = ((3, 32), (32, 64), (64, 64))
    blocks = [
        nn.Sequential(nn.Conv2d(inner, outer, 3, 2, 1), nn.BatchNorm2d(outer), nn.ReLU()) for inner, outer in sizes
    ]
    model = nn.Sequential(*blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))
    return model.eval().to(device), torch.randn(8, 3, 64, 64, device=device)
