"""What tests of checked functions share."""

from __future__ import annotations

from types import CellType, FunctionType
from typing import Any

import torch
from torch import Tensor

from shapecheck import ShapeError


def t(*shape: int) -> Tensor:
    """Some tensor of a shape."""
    return torch.zeros(shape)


def refuses(call: Any, *arguments: Any) -> bool:
    """Whether a call raises ShapeError."""
    try:
        call(*arguments)
    except ShapeError:
        return True
    return False


def held(function: Any) -> dict[str, Any]:
    """What a generated function holds in its closure."""
    cells = function.__closure__ or ()
    return {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, cells, strict=True)}


def holding(function: Any, **others: Any) -> Any:
    """The same function with other things in its closure."""
    kept = {**held(function), **others}
    closure = tuple(CellType(kept[name]) for name in function.__code__.co_freevars)
    return FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, closure)
