"""The tensors of a model in one process: its own shape, and that of the tensor of all processes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.tensor import DTensor, Shard

from shapecheck.harness.ranks.records import LocalTensor
from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.call import shown, shown_as


def local_tensor(name: str, tensor: Tensor) -> LocalTensor:
    """The record of a tensor."""
    if not isinstance(tensor, DTensor):
        return LocalTensor(name, shown(tensor), shown(tensor))
    mesh, local = tensor.device_mesh.mesh, tensor._local_tensor
    return LocalTensor(
        name,
        shown_as(tensor.dtype, tensor.shape),
        shown(local),
        ", ".join(map(repr, tensor.placements)),
        tuple(tensor.shape),
        tuple(local.shape),
        tuple(mesh.flatten().tolist()),
        tuple(mesh.shape),
        tuple(one.dim if type(one) is Shard else None for one in tensor.placements),
    )


def parameters(model: nn.Module) -> Iterator[LocalTensor]:
    """The records of all parameters."""
    for name, one in model.named_parameters():
        yield local_tensor(name, one)


def whole(tensor: Tensor) -> Tensor:
    """The tensor of all processes. Collective if it is a DTensor."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


class Boundaries:
    """Records the arguments and results of the first call of each module, as a context manager."""

    def __init__(self, model: nn.Module) -> None:
        self.found: dict[str, list[LocalTensor]] = {}
        self._model = model
        self._handles: list[torch.utils.hooks.RemovableHandle] = []

    def __enter__(self) -> Boundaries:
        for path, module in self._model.named_modules():
            hook = self._hook(path or "model")
            self._handles.append(module.register_forward_hook(hook, with_kwargs=True))
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self._handles:
            handle.remove()

    def _hook(self, path: str) -> Any:
        def leaving(module: nn.Module, args: Any, kwargs: Any, result: Any) -> None:
            if path not in self.found:
                sides = (("input", (args, kwargs)), ("output", result))
                self.found[path] = [
                    local_tensor(f"{path} {side} {number}", one)
                    for side, value in sides
                    for number, one in enumerate(flat(value))
                ]

        return leaving
