"""Distances and similarities of rows, and the losses based on them."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.ops.module import ModuleSpec
from shapecheck.ops.registry import op
from shapecheck.ops.rules.loss import need_subtractable
from shapecheck.ops.shared.arguments import Tensor, axis, fresh, fresh_shape
from shapecheck.ops.shared.dtypes import floating, promoted
from shapecheck.ops.shared.elementwise import combined
from shapecheck.ops.shared.loss_reduction import Legacy, Reduction, mode_of, reduced
from shapecheck.ops.shared.matching import layout_of
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, DType, DTypeError, ShapeError
from shapecheck.spec.broadcast import broadcast_shapes


@op("cosine_similarity")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: object = 1e-8) -> Tensor:
    """Two tensors broadcast, then lose the axis `dim`."""
    shape = broadcast_shapes(x1.shape, x2.shape)
    dtype = promoted(x1, x2)
    if dtype is not None and not dtype.is_floating:
        raise DTypeError(f"expected a floating-point dtype, got {dtype} from {x1.dtype} and {x2.dtype}")
    at = axis(dim, shape.rank, "the broadcast inputs") if shape.rank is not None else dim
    return fresh_shape(shape.without(at) if shape.rank != 0 else shape, dtype, x1, layout_of(x1, x2))


@op("pairwise_distance", traits=Trait.PAIRS)
def pairwise_distance(x1: Tensor, x2: Tensor, p: object = 2.0, eps: object = 1e-6, keepdim: bool = False) -> Tensor:
    """Two tensors broadcast to (..., d), then give (...), or (..., 1) with keepdim."""
    need_subtractable(x1, x2)
    shape = broadcast_shapes(x1.shape, x2.shape)
    dtype = floating(promoted(x1, x2))
    if shape.rank != 0:
        shape = shape.with_at(-1, 1) if keepdim else shape.without(-1)
    return fresh_shape(shape, None if dtype is None else dtype.to_real(), x1, layout_of(x1, x2))


@op("pdist", "_pdist_forward")
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """(n, d) gives the n*(n-1)//2 distances between its rows."""
    if input.rank not in (2, None):
        raise ShapeError(f"expected a 2-D input, got shape {input.shape}")
    if isinstance(p, (int, float)) and p < 0:
        raise CallError(f"expected p to be non-negative, got {p}")
    dtype = input.dtype
    if dtype is not None and not dtype.is_floating:
        raise DTypeError(f"expected the input to have a floating-point dtype, got {dtype}")
    count = input.shape.size(0)
    return fresh((count * (count - 1) // 2,), dtype, input)


@op("margin_ranking_loss")
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: object = 0,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """Three tensors of one rank broadcast."""
    mode = mode_of(reduction, size_average, reduce)
    _need_one_rank(("input1", input1), ("input2", input2), ("target", target))
    given = need_subtractable(input1, input2, target)
    dtype = floating(_need_real(promoted(*given)))
    return reduced(combined(dtype, *given), mode)


@op("cosine_embedding_loss")
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: object = 0,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """(N, d) twice with a target (N,), or (d,) twice with a target ()."""
    mode = mode_of(reduction, size_average, reduce)
    if target.rank is not None:
        if target.rank > 1:
            raise ShapeError(f"expected a 0-D or 1-D target, got shape {target.shape}")
        for name, given in (("input1", input1), ("input2", input2)):
            if given.rank not in (target.rank + 1, None):
                expected = f"expected {name} to be {target.rank + 1}-D for a {target.rank}-D target"
                raise ShapeError(f"{expected}, got shapes {given.shape} and {target.shape}")
    floats = (one.with_dtype(floating(_need_real(one.dtype))) for one in (input1, input2))
    shape = broadcast_shapes(input1.shape, input2.shape).without(-1)
    layout = layout_of(input1, input2, target)
    rows = fresh_shape(broadcast_shapes(shape, target.shape), promoted(*floats), input1, layout)
    return reduced(rows, mode)


@op("triplet_margin_loss")
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: object = 2,
    eps: object = 1e-6,
    swap: bool = False,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """(..., d) three times, broadcast, gives a loss for each row, (...)."""
    mode = mode_of(reduction, size_average, reduce)
    return reduced(_triplet(anchor, positive, negative, margin, swap, pairwise_distance), mode)


@op("triplet_margin_with_distance_loss")
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: Reduction = "mean",
) -> Tensor:
    """As `triplet_margin_loss`; with a custom distance only the sum and the mean have a known shape."""
    mode = mode_of(reduction)
    distance = pairwise_distance if distance_function is None else _own(distance_function)
    return reduced(_triplet(anchor, positive, negative, margin, swap, distance), mode)


def _triplet(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float,
    swap: bool,
    distance: Callable[[Tensor, Tensor], Tensor],
) -> Tensor:
    if isinstance(margin, (int, float)) and margin <= 0:
        raise CallError(f"expected margin to be positive, got {margin}")
    _need_one_rank(("anchor", anchor), ("positive", positive), ("negative", negative))
    distances = [distance(anchor, positive), distance(anchor, negative)]
    if swap:
        distances.append(distance(positive, negative))
    return combined(promoted(*distances), *distances)


def _own(distance: object) -> Callable[[Tensor, Tensor], Tensor]:
    def measured(x1: Tensor, x2: Tensor) -> Tensor:
        found = distance(x1, x2) if isinstance(distance, ModuleSpec) else None
        if isinstance(found, Tensor):
            return found
        # The function is opaque: its shape is unknown, but it is assumed to keep a real floating-point dtype.
        dtype = floating(promoted(x1, x2))
        return Tensor.anything(None if dtype is not None and dtype.is_complex else dtype)

    return measured


def _need_one_rank(*named: tuple[str, Tensor]) -> None:
    ranks = {given.rank for _, given in named} - {None}
    if len(ranks) > 1:
        shown = ", ".join(f"{name} of shape {given.shape}" for name, given in named)
        raise ShapeError(f"expected inputs of the same rank, got {shown}")


def _need_real(dtype: DType | None) -> DType | None:
    if dtype is not None and dtype.is_complex:
        raise DTypeError(f"expected a real dtype, got {dtype}")
    return dtype
