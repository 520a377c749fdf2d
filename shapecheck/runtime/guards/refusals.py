"""Calls that torch rejects: assigns a code to the exception, which propagates unchanged."""

from __future__ import annotations

import re

from shapecheck.runtime.guards.violations import GuardError
from shapecheck.spec.errors import ShapeError

_CODES = (
    ("non-contiguous", re.compile(r"view size is not compatible|use \.reshape")),
    (
        "dtype-mismatch",
        re.compile(r"same (scalar )?d?type|expected (scalar type|dtype)|dtype.* but (got|found)", re.IGNORECASE),
    ),
    (
        "shape-mismatch",
        re.compile(r"\b(size|sizes|shape|shapes|dimension|dimensions|dim|dims|channels)\b", re.IGNORECASE),
    ),
)


def code_of(error: BaseException) -> str | None:
    """The code for an error of torch or of a checked function; None if it is not about shapes, dtypes or strides."""
    if isinstance(error, ShapeError):
        return "shape-mismatch"
    if isinstance(error, GuardError) or not isinstance(error, (RuntimeError, IndexError, ValueError)):
        return None
    text = str(error)
    return next((code for code, pattern in _CODES if pattern.search(text)), None)
