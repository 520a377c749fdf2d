"""What a refused call is about: its sizes, its operands, and the call that built the layer."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec
from shapecheck.spec import ShapeError, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import operands_of
from shapecheck.static.engine.findings import Conflict
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run


def conflict_of(run: Run, name: str | ModuleSpec, args: tuple[Value, ...], refusal: ShapeError) -> Conflict:
    """The conflict of a call that torch refuses."""
    built = None if isinstance(name, str) else run.origins.of_layer(name)
    place = None if built is None else Place(built.names.loaded, built.node)
    operands = tuple(one.shape for one in operands_of(args, {}) if isinstance(one, TensorSpec))
    return Conflict(tuple(refusal.sizes), place, operands)
