"""Queries about dtypes: promotion and casts."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.dtypes import promoted
from shapecheck.ops.unknown import Unknown
from shapecheck.ops.variants import castable
from shapecheck.spec import DType, Unanswered, as_dtype
from shapecheck.spec.dtype import promote


@op("promote_types")
def promote_types(type1: Any, type2: Any) -> DType:
    """The smallest dtype that both can be cast to."""
    return promote(as_dtype(type1), as_dtype(type2))


@op("result_type")
def result_type(tensor1: Any, tensor2: Any) -> DType:
    """The dtype of an operator on these tensors or numbers."""
    found = None if isinstance(tensor1, Unknown) or isinstance(tensor2, Unknown) else promoted(tensor1, tensor2)
    if found is None:
        raise Unanswered("unknown dtype")
    return found


@op("can_cast")
def can_cast(from_: Any, to: Any) -> bool:
    """Whether a result of one dtype may be written into a tensor of the other."""
    return castable(as_dtype(from_), as_dtype(to))
