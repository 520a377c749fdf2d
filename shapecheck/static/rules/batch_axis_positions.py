"""`encoder(x + positions)` of positions (1, t, d) without batch_first: they differ between samples, not steps.

The tensor that a layer gets has positions along one dimension and, as `batch_first` says, the batch along the same. A
parameter or a buffer that varies along the batch is never meant. The tutorial's positions (length, 1, d) are for the
sequence first.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from shapecheck.ops import ModuleSpec
from shapecheck.spec import Size, TensorSpec
from shapecheck.static.engine.hooks import AbstractCall, Called, before
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._arguments import is_argument
from shapecheck.static.rules._batch_first import ATTENDING, attention_of, batch_axis_of
from shapecheck.static.rules._normalizations import PASSING, made_by, name_of, tensors_of

_CODE: Final = "batch-axis"
_SUMS = frozenset(("+", "add"))
_SAME_DIMENSIONS = PASSING | {"LayerNorm", "Linear", "layer_norm", "*", "mul"}
_OF_POSITIONS = PASSING | {"__getitem__"}
_RANK = 3


class _Positions(NamedTuple):
    """What is added, and the parameter, buffer or embedding that it is a part of."""

    added: TensorSpec
    whole: TensorSpec


@before(_CODE, *map(Called, sorted(ATTENDING)))
def of_positions(call: AbstractCall) -> None:
    """Reports a layer that gets a sum with positions along its batch."""
    batch = batch_axis_of(attention_of(call.layer))
    value = call.args[0] if call.args else None
    if batch is None or not isinstance(value, TensorSpec) or value.rank not in (_RANK, None):
        return
    if not call.run.origins.noted:
        call.run.report(_CODE, call.node, "positions")
        return
    made = made_by(call.run, value, _SAME_DIMENSIONS)
    if made is None or name_of(made) not in _SUMS:
        return
    for one in tensors_of(made):
        found = _positions(call.run, one)
        if found is not None and _vary_along(found, batch):
            option = "without" if batch else "with"
            layer = f"{call.name} {option} batch_first=True treats as the batch"
            what = f"the positions {found.whole.shape} that are added vary along dimension {batch}"
            call.run.report(_CODE, call.node, f"{what}, which {layer}")
            return


def _positions(run: Run, value: TensorSpec) -> _Positions | None:
    """The parameter or buffer of which an operand is a slice, or the embedding of consecutive numbers that it is."""
    made = made_by(run, value, _OF_POSITIONS)
    if made is not None and _is_embedded_range(run, made):
        return _Positions(value, value)
    if made is not None:
        return _Positions(value, made.value) if _is_stored(made) and isinstance(made.value, TensorSpec) else None
    whole = _first(run, value)
    return None if is_argument(run, whole) else _Positions(value, whole)


def _is_stored(made: TensorOrigin) -> bool:
    """Whether a constructor has created a tensor, so that it is a parameter or a buffer."""
    call = made.names.call
    is_in_constructor = call is not None and call.function is not None and call.function.name == "__init__"
    return is_in_constructor and not any(tensors_of(made))


def _first(run: Run, value: TensorSpec) -> TensorSpec:
    """The tensor that another one is a slice of."""
    made = run.origins.of_tensor(value)
    source = made.args[0] if made is not None and made.args else None
    return _first(run, source) if isinstance(source, TensorSpec) else value


def _is_embedded_range(run: Run, made: TensorOrigin) -> bool:
    """Whether an embedding of `torch.arange(t)` was computed, also of `torch.arange(t)[None]`."""
    if not isinstance(made.callee, ModuleSpec) or name_of(made) != "Embedding" or len(made.args) != 1:
        return False
    numbers = made.args[0]
    counted = made_by(run, numbers, PASSING | {"unsqueeze"}) if isinstance(numbers, TensorSpec) else None
    return counted is not None and name_of(counted) == "arange"


def _vary_along(found: _Positions, batch: int) -> bool:
    """Whether an operand has an item for each sample, and is broadcast along the sequence."""
    whole, added = _padded(found.whole), _padded(found.added)
    return bool(whole and added) and whole[1 - batch] == 1 and 1 not in (whole[batch], added[batch])


def _padded(value: TensorSpec) -> tuple[Size, ...]:
    """The sizes with leading dimensions of 1, as broadcasting adds them; nothing if the rank is unknown."""
    return () if value.rank is None or value.rank > _RANK else ((1,) * (_RANK - value.rank) + tuple(value.dims))
