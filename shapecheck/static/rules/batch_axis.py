"""`out[:, -1]` of an LSTM without batch_first: the last sample of the batch, not the last step of the sequence.

Recurrent and attention layers take (sequence, batch, features) unless `batch_first` is True. An item or a mean of the
dimension that they treat as the batch mixes up samples, whatever the caller meant: if the first dimension is the batch
indeed, the layer has run along it. Only `forward` methods count; elsewhere one sample may be looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from shapecheck.ops import ModuleSpec
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Size, TensorSpec, same
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, before
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._batch_first import ATTENDING, RECURRENT, attention_of, batch_axis_of
from shapecheck.static.rules._normalizations import PASSING, name_of, tensors_of

_CODE: Final = "batch-axis"
_SAME_DIMENSIONS = PASSING | frozenset("LayerNorm Linear ReLU GELU Tanh relu gelu tanh + add * mul layer_norm".split())
_MOST_VALUES = 24
_BATCH = 1
"""The dimension of the batch in (sequence, batch, features)."""
_RANK = 3
_OF_ONE_SEQUENCE = 2
"""The rank of (sequence, features), which the same layer may get as well if the rank of its input is unknown."""


class _Source(NamedTuple):
    """The layer that a tensor of three dimensions comes from, the features that it returns, and the dimensions."""

    layer: str
    features: Size | None
    dimensions: str


@before(_CODE, "__getitem__")
def of_item(call: AbstractCall) -> None:
    """Reports `out[:, -1]`, and `out[:, 0]` of an attention layer."""
    value, key = call.args if len(call.args) == 2 else (None, None)
    index = _index_in_batch(key)
    if index is None or not isinstance(value, TensorSpec) or not _is_possible(call, value):
        return
    source = _source(call.run, value)
    if source is None or (index == 0 and source.layer in RECURRENT):
        return
    which = "last" if index == -1 else "first"
    what = "feature of each step" if value.rank == _OF_ONE_SEQUENCE else "sample of the batch"
    _report(call, source, f"index {index} of dimension {_BATCH} selects the {which} {what}")


@before(_CODE, "mean", "max", "amax", "sum")
def of_reduction(call: AbstractCall) -> None:
    """Reports `out.mean(dim=1)`."""
    value = call.argument(0, "input")
    if call.argument(1, "dim") not in (_BATCH, (_BATCH,)) or not isinstance(value, TensorSpec):
        return
    source = _source(call.run, value) if _is_possible(call, value) else None
    if source is not None:
        what = "features of each step" if value.rank == _OF_ONE_SEQUENCE else "samples of the batch"
        _report(call, source, f"{call.name} along dimension {_BATCH} mixes the {what}")


def _report(call: AbstractCall, source: _Source, what: str) -> None:
    call.run.report(_CODE, call.node, f"{what}: {source.dimensions}")


def _index_in_batch(key: Value) -> int | None:
    """The 0 or -1 of `[:, -1]` and `[:, -1, :]`; None for any other key."""
    if type(key) is not tuple or len(key) not in (2, 3) or key[0] != slice(None) or key[2:] not in ((), (slice(None),)):
        return None
    return key[1] if type(key[1]) is int and key[1] in (0, -1) else None


def _is_possible(call: AbstractCall, value: TensorSpec) -> bool:
    """Whether a tensor may have more than one sample, in `forward` of a file with such layers."""
    if value.rank not in (_OF_ONE_SEQUENCE, _RANK, None) or call.run.frame.name != "forward":
        return False
    sizes = value.shape.head
    return not (len(sizes) > _BATCH and sizes[_BATCH] == 1) and _has_layers(call.run.loaded.tree)


@cached_on_node
def _has_layers(tree: ast.Module) -> bool:
    """Whether a file names a layer that has the option batch_first."""
    layers = RECURRENT | ATTENDING
    return any(isinstance(one, (ast.Attribute, ast.Name)) and _last_name(one) in layers for one in walk(tree))


def _last_name(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


def _source(run: Run, value: Value) -> _Source | None:
    """The layer with the batch as dimension 1 that a tensor comes from, also behind a linear layer or a sum."""
    if not run.origins.noted:
        return _Source("MultiheadAttention", None, "")
    open_: list[Value] = [value]
    for _ in range(_MOST_VALUES):
        if not open_:
            return None
        one = open_.pop()
        made = run.origins.of_tensor(one) if isinstance(one, TensorSpec) else None
        if made is None or not isinstance(one, TensorSpec) or one.rank == 0:
            continue
        if isinstance(made.callee, ModuleSpec) and (found := _returned(made.callee, made, one)) is not None:
            is_output = found.features is not None and same(one.shape.size(-1), found.features) is True
            return found if is_output else None
        if name_of(made) in _SAME_DIMENSIONS:
            open_ += _of_whole_rank(made)
    return None


def _of_whole_rank(made: TensorOrigin) -> Iterator[TensorSpec]:
    """The operands of the rank of the result: the others are broadcast."""
    rank = made.value.rank if isinstance(made.value, TensorSpec) else None
    return (one for one in tensors_of(made) if one.rank == rank)


def _returned(module: ModuleSpec, made: TensorOrigin, value: TensorSpec) -> _Source | None:
    """The layer and its result, if its batch is dimension 1."""
    name = name_of(made)
    without = f"{name} without batch_first=True returns (sequence, batch, features)"
    attention = attention_of(module)
    if name in ATTENDING and batch_axis_of(attention) == _BATCH:
        return _Source(name, getattr(attention, "embed_dim", None), without)
    if name in RECURRENT and _is_state(module, value) and not _has_steps_of(value, made.args[:1]):
        states = f"the states of {name} are (layers, batch, features), also with batch_first=True"
        return _Source(name, value.shape.size(-1), states)
    if name in RECURRENT and batch_axis_of(module) == _BATCH:
        return _Source(name, _width(module), without)
    return None


def _is_state(recurrent: ModuleSpec, value: TensorSpec) -> bool:
    """Whether a result has an item for each layer and direction, and is no sequence of that length."""
    layers, directions = getattr(recurrent, "num_layers", None), getattr(recurrent, "bidirectional", None)
    if value.rank != _RANK or type(layers) is not int or not isinstance(directions, bool):
        return False
    return value.dims[0] == layers * (1 + directions)


def _has_steps_of(value: TensorSpec, given: tuple[Value, ...]) -> bool:
    """Whether a result has the first two dimensions of the input, so that it is the output of all steps."""
    inputs = [one.dims[: _BATCH + 1] for one in given if isinstance(one, TensorSpec) and one.rank == _RANK]
    return value.dims[: _BATCH + 1] in inputs


def _width(recurrent: ModuleSpec) -> Size | None:
    width: Size | None = getattr(recurrent, "proj_size", 0) or getattr(recurrent, "hidden_size", None)
    is_double = getattr(recurrent, "bidirectional", False) is True
    return width * 2 if is_double and width is not None else width
