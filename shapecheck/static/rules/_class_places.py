"""Where scores have their classes, as the target of a loss shows."""

from __future__ import annotations

from shapecheck.spec import TensorSpec, same
from shapecheck.static.domain.abstract_values import Value


def have_classes_last(scores: TensorSpec, target: Value) -> bool:
    """Whether scores (b, t, classes) belong to class indices (b, t)."""
    if not isinstance(target, TensorSpec) or target.rank is None or scores.rank is None:
        return False
    is_longer = scores.rank > 2 and scores.rank == target.rank + 1
    return is_longer and all(same(one, other) is True for one, other in zip(scores.dims, target.dims, strict=False))
