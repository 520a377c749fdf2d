"""torch.sym_max and similar functions: arithmetic on sizes that torch.compile supports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import size
from shapecheck.spec import Dim, Size, maximum, minimum, total


@op("sym_max")
def sym_max(a: Any, b: Any) -> Any:
    """The greater of two sizes."""
    return maximum(a, b) if isinstance(a, Dim) or isinstance(b, Dim) else max(a, b)


@op("sym_min")
def sym_min(a: Any, b: Any) -> Any:
    """The smaller of two sizes."""
    return minimum(a, b) if isinstance(a, Dim) or isinstance(b, Dim) else min(a, b)


@op("sym_int")
def sym_int(a: Any) -> Size:
    """The number as a size."""
    return a if isinstance(a, Dim) else int(a)


@op("sym_sum")
def sym_sum(args: Iterable[Any]) -> Size:
    """The sum of sizes."""
    return total(size(one) for one in args)


@op("sym_not")
def sym_not(a: Any) -> bool:
    """The opposite."""
    return not a
