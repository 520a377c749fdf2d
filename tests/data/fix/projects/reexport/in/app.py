from typing import TYPE_CHECKING

import pkg
import pkg.layers as L
from pkg import Gate, Layer
from torch import Tensor


class A(Layer):
    def forward(self, x: Tensor) -> Tensor:
        return x


class B(Gate):
    def forward(self, x: Tensor) -> Tensor:
        return x


class C(pkg.Layer):
    def forward(self, x: Tensor) -> Tensor:
        return x


class D(L.Gate):
    def forward(self, x: Tensor) -> Tensor:
        return x
