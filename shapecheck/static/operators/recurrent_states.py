"""The state of a recurrent layer with the batch first: (b, 1, h) in place of (1, b, h).

`batch_first=True` concerns the input and the output alone. With one layer, the call works for a batch of one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from shapecheck.ops import ModuleSpec
from shapecheck.ops.assumptions import Assumption, Assumptions
from shapecheck.spec import Dim, TensorSpec
from shapecheck.spec.dim import is_variable
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.conflicts import conflict_notes

_CODE = "shape-mismatch"
_LAYERS = frozenset(("RNN", "LSTM", "GRU"))


def report_state(
    run: Run,
    node: ast.AST,
    name: str | ModuleSpec,
    args: tuple[Value, ...],
    kwargs: Mapping[str, Value],
    assumed: Iterable[Assumption],
) -> None:
    """Reports the equalities of the batch and 1 that such a state needs."""
    state = _state(name, args, tuple(assumed))
    if state is not None and isinstance(name, ModuleSpec) and run.is_unconditional:
        batch, layers, width = state.dims
        expected = f"expected a state of shape ({layers}, {batch}, {width}), got {state.shape}"
        message = f"{type(name).name}: {expected}; it works only if {batch} equals {layers}"
        run.report(_CODE, node, message, partial(conflict_notes, run, node, name, args, dict(kwargs)))


def without_state(name: str | ModuleSpec, args: Sequence[object], assumed: Assumptions) -> Assumptions:
    """The equalities, none if they are a mistake."""
    if _state(name, args, assumed) is None:
        return assumed
    none = Assumptions()
    none.shapes = assumed.shapes
    return none


def _state(name: str | ModuleSpec, args: Sequence[object], assumed: Sequence[Assumption]) -> TensorSpec | None:
    if isinstance(name, str) or type(name).name not in _LAYERS or len(args) < 2:
        return None
    needed = [{one.left, one.right} for one in assumed]
    for one in args[1] if isinstance(args[1], tuple) else args[1:2]:
        if isinstance(one, TensorSpec) and one.rank == 3:
            batch, layers = one.dims[:2]
            is_batch = isinstance(batch, Dim) and is_variable(batch) and batch != layers
            if is_batch and needed.count({batch, layers}) > 1:
                return one
    return None
