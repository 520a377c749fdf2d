"""One law for every rule: numbers put into the symbolic result give the concrete result, and that is torch's."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import torch

from shapecheck.ops import Unknown, find
from shapecheck.ops.guard import call
from shapecheck.ops.registry import Entry
from shapecheck.spec import Dim, Shape, ShapeError, Size, TensorSpec, Unanswered, axis, substitute
from tests.conformance.oracle import difference, false_layout


class T:
    """A tensor argument: its sizes, and its dtype by name."""

    def __init__(self, *dims: Size, dtype: str = "float32") -> None:
        self.dims = dims
        self.dtype = dtype

    def spec(self) -> TensorSpec:
        return TensorSpec(self.dims, self.dtype, layout="contiguous")

    def real(self) -> torch.Tensor:
        dims = tuple(int(size) for size in self.dims)
        dtype: torch.dtype = getattr(torch, self.dtype)
        if dtype.is_floating_point or dtype.is_complex:
            return torch.randn(dims, dtype=torch.float32).to(dtype)
        return torch.zeros(dims, dtype=dtype)


Arguments = Callable[..., Any]
"""From sizes by keyword to the positional arguments; a dict as the last one holds keyword arguments."""


def agree(name: str, function: Callable[..., Any], arguments: Arguments, sizes: Mapping[str, int]) -> Any:
    """Checks the rule called `name` against `function` for one choice of sizes; returns the symbolic result.

    Where torch refuses, the rule must refuse or not know, for these numbers; the symbolic form must not refuse what
    some sizes allow, so it is only compared where torch answers.
    """
    numbers = arguments(**sizes)
    args, kwargs = _split(numbers)
    concrete = ruled(name, numbers)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            real = function(*_mapped(args, T.real), **_mapped(kwargs, T.real))
    except (RuntimeError, ValueError, IndexError, TypeError):
        assert isinstance(concrete, (Unknown, ShapeError)), f"torch refuses {name} at {sizes}, the rule says {concrete}"
        return concrete
    assert not isinstance(concrete, ShapeError), f"torch takes {name} at {sizes}, the rule refuses: {concrete}"
    kind, why = difference(concrete, real, data_dependent=False)
    assert kind == "exact", f"{name} at {sizes}: {why}"
    assert not false_layout(concrete, real), f"{name} at {sizes}: {false_layout(concrete, real)}"
    names = {size: axis(size, scope="") for size in sizes}
    symbolic = ruled(name, arguments(**names))
    assert not isinstance(symbolic, ShapeError), (
        f"{name} at names {tuple(sizes)}: refused, though {sizes} fits: {symbolic}"
    )
    if not isinstance(symbolic, Unknown):
        put_back = filled(symbolic, {names[size]: number for size, number in sizes.items()})
        kind, why = difference(put_back, real, data_dependent=False)
        assert kind != "wrong", f"{name}: {symbolic} at {sizes}: {why}"
    return symbolic


def ruled(name: str, arguments: Any) -> Any:
    """What the rule says: its answer, Unknown, or the ShapeError it raises. Other exceptions pass: they are bugs."""
    entry: Entry | None = find(name)
    assert entry is not None, f"no rule for {name}"
    args, kwargs = _split(arguments)
    try:
        return call(entry, tuple(_mapped(args, T.spec)), _mapped(kwargs, T.spec))
    except Unanswered as why:
        return Unknown(str(why))
    except ShapeError as refusal:
        return refusal


def filled(value: Any, numbers: Mapping[Dim, int]) -> Any:
    """The symbolic answer with numbers for its names."""
    if isinstance(value, TensorSpec):
        shape = value.shape
        dims = tuple(substitute(size, numbers) for size in shape.head)
        tail = tuple(substitute(size, numbers) for size in shape.tail)
        return TensorSpec.make(Shape(dims, shape.run, tail), value.dtype, value.layout)
    if isinstance(value, Dim):
        return substitute(value, numbers)
    if isinstance(value, (tuple, list)):
        return (
            type(value)(filled(one, numbers) for one in value)
            if type(value) in (tuple, list)
            else tuple(filled(one, numbers) for one in value)
        )
    return value


def _split(arguments: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if not isinstance(arguments, tuple):
        return (arguments,), {}
    if arguments and isinstance(arguments[-1], dict):
        return arguments[:-1], arguments[-1]
    return arguments, {}


def _mapped(value: Any, each: Callable[[T], Any]) -> Any:
    if isinstance(value, T):
        return each(value)
    if isinstance(value, (tuple, list)):
        return type(value)(_mapped(one, each) for one in value)
    if isinstance(value, dict):
        return {name: _mapped(one, each) for name, one in value.items()}
    return value
