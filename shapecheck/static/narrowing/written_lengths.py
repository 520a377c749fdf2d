"""`x.shape == (b, 1, *rest)`: a tuple that is written down has at least the items that are no starred expression."""

from __future__ import annotations

import ast

from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import read


def differ_in_length(run: Run, left: ast.expr, right: ast.expr) -> bool:
    """Whether one side is a tuple of known length, and the other one is written with another number of items."""
    return _has_other_length(run, left, right) or _has_other_length(run, right, left)


def _has_other_length(run: Run, node: ast.expr, written: ast.expr) -> bool:
    if not isinstance(written, (ast.Tuple, ast.List)):
        return False
    least = sum(not isinstance(one, ast.Starred) for one in written.elts)
    value = read(run, node)
    return type(value) is tuple and (len(value) < least or (len(value) > least == len(written.elts)))
