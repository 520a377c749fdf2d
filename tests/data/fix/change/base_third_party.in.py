# requires: lightning
from typing import TYPE_CHECKING

import lightning as L
from lightning.pytorch import LightningModule
from torch import Tensor


class Classifier(LightningModule):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Regressor(L.LightningModule):
    def forward(self, x: Tensor) -> Tensor:
        return x
