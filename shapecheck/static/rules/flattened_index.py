"""`x[:, index.view(-1)]` for the indices (b, k) of `scores.topk(k, dim=1)`: every sample selects for all samples.

The result has shape (b, b*k, ...), in which only the k items of a sample itself are its own.
"""

from __future__ import annotations

from typing import Final

from shapecheck.ops import ModuleSpec
from shapecheck.spec import Dim, Size, TensorSpec, same
from shapecheck.spec.dim import is_variable
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, after
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._axis_moves import times_as_many

_CODE: Final = "flattened-index"
_SELECTING = frozenset("topk sort argsort argmax argmin max min kthvalue multinomial".split())
"""What gives indices along a dimension, for each sample."""
_FLATTENING = frozenset("view reshape flatten ravel".split())
_PASSING = frozenset("long int to contiguous clone detach clamp type".split())
_MOST_HOPS = 8


@after(_CODE, "__getitem__")
def indexed(call: AbstractCall, result: Value) -> Value:
    """Reports a subscript."""
    key = call.args[1] if len(call.args) > 1 else None
    if isinstance(key, tuple) and len(key) > 1 and key[0] == slice(None):
        for axis, one in enumerate(key[1:], 1):
            if isinstance(one, TensorSpec):
                _report(call, axis, one)
                break
            if one != slice(None):
                break
    return result


@after(_CODE, "index_select")
def selected(call: AbstractCall, result: Value) -> Value:
    """Reports `x.index_select(1, index)`."""
    axis, index = call.argument(1, "dim"), call.argument(2, "index")
    if type(axis) is int and isinstance(index, TensorSpec):
        _report(call, axis, index)
    return result


def _report(call: AbstractCall, axis: int, index: TensorSpec) -> None:
    given = call.argument(0, "input")
    if not isinstance(given, TensorSpec) or not given.rank or given.rank <= axis or index.rank != 1 or axis < 1:
        return
    batch, count = given.dims[0], index.dims[0]
    if not _is_multiple(count, batch) or not _is_of_each_sample(call.run, index, batch):
        return
    message = f"{count} indices, those of all samples, select from each sample of {given.shape} in dimension {axis}"
    call.run.report(_CODE, call.node, f"{message}; use gather")


def _is_multiple(count: Size, batch: Size) -> bool:
    """Whether there are several indices for each sample."""
    if not isinstance(batch, Dim) or not is_variable(batch) or count == batch:
        return False
    several = times_as_many((batch,), (count,))
    return several is not None and same(count, batch * several.size) is True


def _is_of_each_sample(run: Run, index: TensorSpec, batch: Size) -> bool:
    """Whether the indices were found along another dimension than the first; True if no origins are recorded."""
    if not run.origins.noted:
        return True
    value, flattened = index, False
    for _ in range(_MOST_HOPS):
        made = run.origins.of_tensor(value)
        if made is None or isinstance(made.callee, ModuleSpec):
            return False
        name = made.callee.rpartition(".")[2]
        if name in _SELECTING:
            return flattened and value.rank == 2 and value.dims[0] == batch and _axis_of(made) in (1, -1)
        if name not in _FLATTENING and name not in _PASSING and not _is_slice(made, name):
            return False
        flattened = flattened or name in _FLATTENING
        source = made.args[0] if made.args else None
        if not isinstance(source, TensorSpec):
            return False
        value = source
    return False


def _is_slice(made: TensorOrigin, name: str) -> bool:
    """Whether it selects among the indices of each sample: `index[:, :k]`."""
    key = made.args[1] if name == "__getitem__" and len(made.args) > 1 else None
    return isinstance(key, tuple) and all(isinstance(one, slice) for one in key) and key[0] == slice(None)


def _axis_of(made: TensorOrigin) -> int:
    """The argument `dim`; the last dimension by default. The first number of `topk` is how many to select."""
    given = made.kwargs.get("dim")
    if given is None:
        numbers = [one for one in made.args[1:] if type(one) is int and not isinstance(one, bool)]
        skipped = (
            0 if str(made.callee).rpartition(".")[2] in ("sort", "argsort", "argmax", "argmin", "max", "min") else 1
        )
        given = numbers[skipped] if skipped < len(numbers) and len(made.args) > skipped + 1 else -1
    return given if type(given) is int else 0
