"""A copy of a model with FakeTensors, on its device or on one that is not the CPU."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils import _pytree as pytree

from shapecheck.harness.inputs.tensor_map import map_tensors
from shapecheck.harness.subject import drained


class CannotCopyError(Exception):
    """The model cannot be copied; the message is that of its exception."""


def fake_call(model: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], elsewhere: bool = False) -> Any:
    """The result of the model for arguments without data; the model is unchanged.

    elsewhere: the model and its arguments claim to be on `meta`, which represents a GPU: it is not the CPU, and a fake
    tensor on it needs no driver. Raises errors of the operators, torch's exceptions for results that depend on data,
    and CannotCopyError.
    """
    mode = FakeTensorMode(allow_non_fake_inputs=True)

    def faked(tensor: Tensor) -> Tensor:
        if elsewhere:
            return FakeTensor(mode, tensor.detach().to("meta"), torch.device("meta"))
        return mode.from_tensor(tensor.detach())

    twin = _twin(model, faked, mode)
    if elsewhere:
        _move_the_rest(twin, mode)
    args, kwargs = map_tensors((args, kwargs), lambda _, tensor: faked(tensor))
    with mode:
        return drained(twin(*args, **kwargs))


def _twin(model: nn.Module, faked: Any, mode: FakeTensorMode) -> nn.Module:
    """A copy of the tree of modules with fake tensors; tensors in other attributes stay on their device."""
    memo: dict[int, Any] = {id(one): mode.from_tensor(one.detach()) for one in _attributes(model)}
    for one in (*model.parameters(), *model.buffers()):
        made = faked(one)
        memo[id(one)] = nn.Parameter(made, requires_grad=one.requires_grad) if isinstance(one, nn.Parameter) else made
    try:
        with torch.no_grad():
            return copy.deepcopy(model, memo)
    except Exception as refused:
        raise CannotCopyError(str(refused)) from None


def _move_the_rest(twin: nn.Module, mode: FakeTensorMode) -> None:
    """Moves what the model's own `to` or `_apply` moves: tensors in attributes, which those of torch ignore."""
    modules = list(twin.modules())
    if all(_is_of_torch(type(one).to) and _is_of_torch(type(one)._apply) for one in modules):
        return
    # Parameters are already moved, and torch cannot swap fake ones; without them an LSTM loses its references to them.
    kept = [dict(vars(one)) if _is_of_torch(type(one)) else {"_parameters": one._parameters} for one in modules]
    try:
        for module in modules:
            module._parameters = {}
        with mode:
            twin.to("meta")
    except Exception as refused:
        raise CannotCopyError(str(refused)) from None
    finally:
        for module, fields in zip(modules, kept, strict=True):
            vars(module).update(fields)


def _is_of_torch(one: Any) -> bool:
    return bool(one.__module__.partition(".")[0] == "torch")


def _attributes(model: nn.Module) -> Iterator[Tensor]:
    """Tensors in attributes of modules that are neither parameters nor buffers."""
    for module in model.modules():
        for name, value in vars(module).items():
            if name not in ("_parameters", "_buffers", "_modules"):
                yield from (leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, Tensor))
