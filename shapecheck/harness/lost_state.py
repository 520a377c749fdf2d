"""State of a model that its state_dict does not contain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.utils import _pytree as pytree

_OF_TORCH = ("_parameters", "_modules", "_buffers")


class LostState(NamedTuple):
    """An attribute by its path, and what to do about it."""

    name: str
    advice: str


def lost_state(model: nn.Module, twin: nn.Module) -> LostState | None:
    """The first state that differs between two models with the same weights; None if there is none.

    twin: built from the same class, and has loaded the state_dict of the model.
    """
    others = dict(twin.named_modules())
    known = {id(one) for one in model.modules()}
    for path, module in model.named_modules():
        other = others.get(path)
        if other is None:
            continue
        for name, value in _attributes(module):
            full = f"{path}.{name}" if path else name
            if any(isinstance(leaf, nn.Module) and id(leaf) not in known for leaf in pytree.tree_leaves(value)):
                return LostState(full, "because a plain list or dict hides its layers; use nn.ModuleList or ModuleDict")
            if not _same(value, dict(_attributes(other)).get(name)):
                is_buffer = name in module._buffers
                fix = "remove persistent=False" if is_buffer else "register a buffer or parameter"
                return LostState(full, f"so a new model computes with another value; {fix}")
    return None


def _attributes(module: nn.Module) -> Iterator[tuple[str, Any]]:
    for name in module._non_persistent_buffers_set:
        yield name, module._buffers.get(name)
    for name, value in vars(module).items():
        if name not in _OF_TORCH and not name.endswith("_hooks"):
            yield name, value


def _same(one: Any, other: Any) -> bool:
    """Whether two values have equal tensors; other values are not state unless they are numbers."""
    for left, right in zip(pytree.tree_leaves(one), pytree.tree_leaves(other), strict=False):
        if isinstance(left, Tensor) and isinstance(right, Tensor):
            if left.shape != right.shape or not torch.equal(left, right):
                return False
        elif isinstance(left, (int, float)) and isinstance(right, (int, float)) and left != right:
            return False
    return True
