"""Sizes of layers that are not a multiple of the blocks that tensor cores multiply."""

from __future__ import annotations

from shapecheck.ops import ModuleSpec, Trait
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, Built, after

_SIZES = ("in_features", "out_features", "in_channels", "out_channels")
_SMALL = 64
"""Smaller layers cost so little that padding does not help."""
_BLOCK = 8
"""16-bit elements in 16 bytes, to which rows should be aligned for tensor cores."""


@after("tensor-core-size", Built(Trait.HAS_WEIGHTS | Trait.AUTOCAST))
def uneven(call: AbstractCall, built: Value) -> Value:
    """Reports a layer that is built with such a size."""
    if isinstance(built, ModuleSpec):
        name, size = next(((name, size) for name in _SIZES if (size := _wasteful(built, name))), ("", 0))
        if size:
            more = size + -size % _BLOCK
            call.run.report(
                "tensor-core-size",
                call.node,
                f"{built.name}: {name}={size} is not a multiple of {_BLOCK}, which slows down tensor cores in 16 bits; "
                f"use {more}",
            )
    return built


def _wasteful(layer: ModuleSpec, name: str) -> int:
    """The size of this name if it is known and not a multiple of a block, else 0."""
    size = getattr(layer, name, None)
    return size if isinstance(size, int) and size >= _SMALL and size % _BLOCK else 0
