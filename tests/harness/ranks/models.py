"""Models for two processes: what is planted is named by the comment on its line."""

import os

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch import distributed as dist

import shapecheck


class Reduces(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        total = self.fc(x)
        dist.all_reduce(total)
        return total


class Skips(Reduces):
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        total = self.fc(x)
        if dist.get_rank() == 0:
            dist.all_reduce(total)  # planted: collective-mismatch
        return total


class OtherShape(Reduces):
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        part = self.fc(x)[:, dist.get_rank() :].contiguous()
        dist.all_reduce(part)  # planted: collective-mismatch
        return self.fc(x)


class Dies(Reduces):
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        if dist.get_rank() == 1:
            os.abort()  # planted: ended-run
        dist.all_reduce(total := self.fc(x))
        return total


class OtherDtype(Reduces):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4, dtype=torch.float64 if dist.get_rank() else torch.float32)  # planted: shard-mismatch

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 4"]:
        return self.fc(x.to(self.fc.weight.dtype)).float()


def rows_and_columns(model, mesh):
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    parallelize_module(model, mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})


def rows_only(model, mesh):
    from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

    parallelize_module(model, mesh, {"up": ColwiseParallel()})


def forgotten_rows(model, mesh):
    from torch.distributed.tensor import DTensor, Shard

    rows = model.up.weight.detach().chunk(2)[dist.get_rank()][:4]
    model.up.weight = nn.Parameter(DTensor.from_local(rows, mesh, [Shard(0)], shape=(12, 8), stride=(8, 1)))


def scaled(model, mesh):
    with torch.no_grad():
        model.up.weight *= mesh.size()


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 12)
        self.down = nn.Linear(12, 8)

    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:
        return self.down(self.up(x).relu())


@shapecheck.case(parallelize=rows_and_columns)
class Divided(Block):
    pass


@shapecheck.case(parallelize=rows_only)
class Undivided(Block):
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:
        return self.down(self.up(x).relu())  # planted: wrap-mismatch


@shapecheck.case(parallelize=forgotten_rows)
class Forgotten(Block):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 12)  # planted: shard-mismatch


@shapecheck.case(parallelize=scaled)
class Scaled(Block):
    def forward(self, x: Float[Tensor, "b 8"]) -> Float[Tensor, "b 8"]:  # planted: wrap-mismatch
        return self.down(self.up(x).relu())
