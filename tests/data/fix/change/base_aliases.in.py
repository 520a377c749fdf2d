from typing import TYPE_CHECKING

import torch
import torch.nn
import torch.nn as tnn
from torch import Tensor
from torch.nn import Module
from torch.nn import Module as TorchModule
from torch.nn.modules.module import Module as DeepModule

Base = Module


class A(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class B(tnn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class C(TorchModule):
    def forward(self, x: Tensor) -> Tensor:
        return x


class D(DeepModule):
    def forward(self, x: Tensor) -> Tensor:
        return x


class E(Base):
    def forward(self, x: Tensor) -> Tensor:
        return x
