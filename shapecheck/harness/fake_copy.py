"""The same model with tensors that have no data, on its device or on one that is not the CPU."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils import _pytree as pytree


def fake_call(model: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], elsewhere: bool = False) -> Any:
    """What the model gives for arguments without data, itself unchanged.

    elsewhere: the model and its arguments claim to lie on `meta`, which stands for a GPU: it is not the CPU, and a fake
    tensor on it needs no driver. Raises what the operators raise, or torch's exceptions where a result hangs on data.
    """
    mode = FakeTensorMode(allow_non_fake_inputs=True)

    def faked(tensor: Tensor) -> Tensor:
        if elsewhere:
            return FakeTensor(mode, tensor.detach().to("meta"), torch.device("meta"))
        return mode.from_tensor(tensor.detach())

    twin = _twin(model, faked)
    args, kwargs = pytree.tree_map_only(Tensor, faked, (args, kwargs))
    with mode:
        return twin(*args, **kwargs)


def _twin(model: nn.Module, faked: Any) -> nn.Module:
    """A copy of the tree of modules whose tensors are fake; tensors in other attributes are those of the model."""
    memo: dict[int, Any] = {}
    for one in (*model.parameters(), *model.buffers()):
        made = faked(one)
        memo[id(one)] = nn.Parameter(made, requires_grad=one.requires_grad) if isinstance(one, nn.Parameter) else made
    with torch.no_grad():
        return copy.deepcopy(model, memo)
