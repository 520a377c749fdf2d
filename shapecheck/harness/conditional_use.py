"""Whether forward can use a parameter that a call did not use."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import CodeType

from torch import nn


def forward_reads(model: nn.Module, path: str) -> bool:
    """Whether the forward of the innermost module of the program that has the parameter, or its layer, reads it.

    Methods that forward names are part of it.
    """
    parts = path.split(".")
    for depth in range(len(parts) - 1, -1, -1):
        owner = type(model.get_submodule(".".join(parts[:depth])))
        if owner.__module__.partition(".")[0] != "torch":
            return parts[depth] in _names_in_forward(owner)
    return False


def _names_in_forward(owner: type[nn.Module]) -> set[str]:
    """The attributes and globals that forward names, and the methods that it calls."""
    found: set[str] = set()
    left, seen = ["forward"], {"forward"}
    while left:
        code = getattr(inspect.unwrap(getattr(owner, left.pop())), "__code__", None)
        names = set() if code is None else set(_names(code))
        found |= names
        methods = {one for one in names - seen if inspect.isfunction(getattr(owner, one, None))}
        seen |= methods
        left += methods
    return found


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
