"""Names of torch: which operators and layers have a model."""

from __future__ import annotations

from shapecheck.ops import find


def is_modelled(name: str) -> bool:
    """Whether `ops` has a rule for an operator or a layer."""
    return find(name) is not None
