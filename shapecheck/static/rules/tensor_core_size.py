"""Sizes of layers that do not fill the blocks in which tensor cores multiply."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec, Trait
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.hooks import Built, OperatorCall, after

_SIZES = ("in_features", "out_features", "in_channels", "out_channels")
_SMALL = 64
"""Below this a layer costs so little that padding it gains nothing."""
_BLOCK = 8
"""Elements of 16 bits in the 16 bytes to which tensor cores want rows aligned."""


@after("tensor-core-size", Built(Trait.HAS_WEIGHTS | Trait.AUTOCAST))
def uneven(call: OperatorCall, built: Value) -> Value:
    """Reports a layer where it is built with such a size."""
    if isinstance(built, ModuleSpec):
        name, size = next(((name, size) for name in _SIZES if (size := _wasteful(built, name))), ("", 0))
        if size:
            more = size + -size % _BLOCK
            call.run.report(
                "tensor-core-size",
                call.node,
                f"{built.name}: {name} is {size}, no multiple of {_BLOCK}: in 16 bits it wastes tensor cores; "
                f"{more} would not",
            )
    return built


def _wasteful(layer: ModuleSpec, name: str) -> int:
    """The size of this name where it is known and wastes something, else 0."""
    size = getattr(layer, name, None)
    return size if isinstance(size, int) and size >= _SMALL and size % _BLOCK else 0
