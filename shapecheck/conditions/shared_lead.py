"""`(..., 1)` and `(...)`, where both `...` are the same dimensions, however many they are."""

from __future__ import annotations

from shapecheck.spec import Shape, same


def is_column_of(many: Shape, few: Shape) -> bool:
    """Whether one shape is the other one with a last dimension of size 1 added, behind the same unknown dimensions.

    If there are none, and nothing else, `(1,)` and `()` broadcast as a number does. For any others, `(n, 1)` and `(n,)`
    give `(n, n)`.
    """
    if many.run is None or many.run != few.run or len(many.head) != len(few.head):
        return False
    if len(many.tail) != len(few.tail) + 1 or many.tail[-1] != 1:
        return False
    pairs = zip((*many.head, *many.tail[:-1]), (*few.head, *few.tail), strict=True)
    return all(same(one, other) is True for one, other in pairs)
