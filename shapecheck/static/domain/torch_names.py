"""Names of torch: which operators and layers have a model."""

from __future__ import annotations

from shapecheck.ops import find
from shapecheck.spec import DTypeError, as_dtype


def is_modelled(name: str) -> bool:
    """Whether `ops` has a rule for an operator or a layer."""
    return find(name) is not None


def is_dtype(name: str) -> bool:
    """Whether it is a dtype: `torch.float32`, `torch.long`."""
    try:
        as_dtype(name)
    except DTypeError:
        return False
    return name.startswith("torch.")
