"""Plain values: what an attribute holds that configures an object, as opposed to its layers and collections."""

from __future__ import annotations

from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.domain.abstract_values import Value


def is_plain(value: Value) -> bool:
    """Whether it is a number, a string, None or a tensor."""
    return isinstance(value, (bool, int, float, str, Dim, TensorSpec, type(None)))
