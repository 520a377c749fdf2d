"""Names that were imported while the body of their module was still running."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.values import LateName

_MOST_IMPORTS = 8


def current(value: Value) -> Value:
    """The current value of a name that was imported before its module had bound it; any other value itself."""
    for _ in range(_MOST_IMPORTS):
        if not isinstance(value, LateName):
            return value
        value = value.module.fields.get(value.name, Unknown(f"no name {value.name}"))
    return Unknown("a name from a circular import")
