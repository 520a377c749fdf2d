"""Constants from outside the project."""

from __future__ import annotations

import math

from shapecheck.spec import unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.values import ExternalReference

_NUMBERS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}
_CONSTANTS: dict[str, Value] = {
    **{f"{module}.{name}": value for module in ("math", "numpy", "torch") for name, value in _NUMBERS.items()},
    "math.tau": math.tau,
    "numpy.newaxis": None,
    "sys.version_info": (3, unknown("minor", low=9), unknown("micro", low=0), "final", 0),
}


def outside(name: str) -> Value:
    """The value of a dotted name from outside the project: a constant, or an ExternalName."""
    return _CONSTANTS[name] if name in _CONSTANTS else ExternalReference(name)
