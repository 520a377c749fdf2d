"""Describes the arguments and results of calls by their shapes and dtypes, and counts the equal ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_SIGNATURES = 64
"""Distinct calls of one function that a process keeps; the others are only counted."""
_MOST_ITEMS = 32
_DEEPEST = 3
OTHER = "other"
"""The description of a value that contains no tensor."""

Description = Any
"""None, OTHER, `(dtype, shape)` of a tensor, or `("tuple" | "list", descriptions)`."""
Call = tuple[tuple[Description, ...], Description]


@dataclass(eq=False)
class Site:
    """An instrumented function: the absolute path of its file, its qualified name, and its first line."""

    path: str
    name: str
    line: int
    parameters: tuple[str, ...]
    calls: dict[Call, int] = field(default_factory=dict)
    omitted: int = 0


class _State:
    """Whether calls are recorded, and what is needed to recognize a tensor."""

    active = False
    tensor: Any = None
    is_compiling: Any = None


sites: list[Site] = []
_state = _State()
Token = tuple[Site, tuple[Description, ...]]


def set_active(active: bool) -> None:
    """Starts or ends the recording of calls."""
    _state.active = active


def enter(number: int, values: Sequence[Any]) -> Token | None:
    """The start of a call of the function with this number; the result belongs to the call of `leave`."""
    if not _state.active:
        return None
    if _state.tensor is None and not _find_torch():
        return None
    if _state.is_compiling():
        return None
    return sites[number], tuple([describe(value) for value in values])


def leave(token: Token | None, result: Any) -> Any:
    """The end of a call; returns the result."""
    if token is not None and not _state.is_compiling():
        site, arguments = token
        call = arguments, describe(result)
        calls = site.calls
        if call in calls:
            calls[call] += 1
        elif len(calls) < MOST_SIGNATURES:
            calls[call] = 1
        else:
            site.omitted += 1
    return result


def describe(value: Any, depth: int = 0) -> Description:
    """The shape and dtype of a tensor, of each item of a tuple or list, or OTHER."""
    if value is None:
        return None
    kind = type(value)
    if isinstance(value, _state.tensor):
        try:
            shape = tuple(value.shape)
        except Exception:  # a nested tensor, or one of a subclass without a shape
            return OTHER
        for size in shape:
            if type(size) is not int:  # symbolic, while a graph is traced
                return OTHER
        return str(value.dtype).removeprefix("torch."), shape
    if (kind is tuple or kind is list) and value and depth < _DEEPEST:
        items = tuple([describe(one, depth + 1) for one in value[:_MOST_ITEMS]])
        if len(value) <= _MOST_ITEMS and any(holds_tensor(one) for one in items):
            return kind.__name__, items
    return OTHER


def holds_tensor(value: Description) -> bool:
    """Whether a description is that of a tensor, or of a container with one."""
    return value is not None and value != OTHER


def _find_torch() -> bool:
    torch = sys.modules.get("torch")
    tensor = getattr(torch, "Tensor", None)
    compiler = getattr(torch, "compiler", None)
    if tensor is None or compiler is None:  # not imported yet, or only in part
        return False
    _state.is_compiling = compiler.is_compiling
    _state.tensor = tensor
    return True
