"""Losses that compare two tensors element by element."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.dtypes import floating, promoted
from shapecheck.ops.shared.elementwise import combined
from shapecheck.ops.shared.loss_reduction import Legacy, Reduction, mode_of, reduced
from shapecheck.ops.shared.matching import fitted_into, matched
from shapecheck.ops.traits import Trait
from shapecheck.ops.variants import castable
from shapecheck.spec import CallError, DType, DTypeError, ShapeError, promote, same
from shapecheck.spec.dtype import bool_
from shapecheck.spec.presentation import value_text


@op("mse_loss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Two floating tensors broadcast (torch warns if they do); the weight has the input's shape."""
    mode = mode_of(reduction, size_average, reduce)
    dtype = _expanded_dtype(input, target)
    if weight is not None:
        return _weighted(input, target, weight, dtype, mode)
    return reduced(combined(need_float(dtype), input, target), mode)


@op("l1_loss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Two tensors broadcast (torch warns if they do) to real distances; the weight has the input's shape."""
    mode = mode_of(reduction, size_average, reduce)
    dtype = _real(_expanded_dtype(*need_subtractable(input, target)))
    if weight is not None:
        return _weighted(input, target, weight, dtype, mode)
    return reduced(combined(dtype, input, target), mode)


@op("smooth_l1_loss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Two floating tensors broadcast; torch warns if they do."""
    if beta == 0:
        return l1_loss(input, target, size_average, reduce, reduction)
    if isinstance(beta, (int, float)) and beta < 0:
        raise CallError(f"expected beta to be non-negative, got {beta}")
    mode = mode_of(reduction, size_average, reduce)
    return reduced(combined(need_float(_expanded_dtype(input, target)), input, target), mode)


@op("huber_loss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
def huber_loss(
    input: Tensor, target: Tensor, reduction: Reduction = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """Two floating tensors broadcast (torch warns if they do); the dtype is the input's."""
    mode = mode_of(reduction)
    if isinstance(delta, (int, float)) and delta <= 0:
        raise CallError(f"expected delta to be positive, got {delta}")
    dtype = need_float(need_castable(_expanded_dtype(input, target), input, "target"))
    if weight is not None:
        return _weighted(input, target, weight, dtype, mode)
    return reduced(combined(dtype, input, target), mode)


@op("binary_cross_entropy", traits=Trait.BATCH_FIRST)
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """Probabilities and targets of one shape and one floating dtype; a weight broadcasts to it."""
    mode = mode_of(reduction, size_average, reduce)
    shape = _need_same_size(input, target)
    if weight is not None:
        message = f"cannot broadcast the weight of shape {weight.shape} to the input of shape {input.shape}"
        fitted_into(weight.shape, shape.shape, message)
    if input.dtype is not None and target.dtype is not None and input.dtype is not target.dtype:
        raise DTypeError(f"expected input and target to have the same dtype, got {input.dtype} and {target.dtype}")
    dtype = need_float(target.dtype if input.dtype is None else input.dtype)
    return reduced(shape.with_dtype(dtype), mode)


@op("binary_cross_entropy_with_logits", traits=Trait.BATCH_FIRST)
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Logits and targets of one shape; weight and pos_weight broadcast to it; the dtype is the target's."""
    mode = mode_of(reduction, size_average, reduce)
    shape = _need_same_size(input, target)
    for name, given in (("weight", weight), ("pos_weight", pos_weight)):
        if given is not None:
            message = f"cannot broadcast {name} of shape {given.shape} to the input of shape {input.shape}"
            fitted_into(given.shape, shape.shape, message)
    need_float(input.dtype)
    if target.dtype is bool_:
        raise DTypeError(f"expected the target to have a floating-point dtype, got {target.dtype}")
    return reduced(shape.with_dtype(need_castable(input.dtype, target, "input")), mode)


@op("kl_div", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
    log_target: object = False,
) -> Tensor:
    """Two floating tensors broadcast, silently."""
    mode = "sum" if reduction == "batchmean" else mode_of(reduction, size_average, reduce)
    for name, given in (("input", input), ("target", target)):
        if given.dtype is not None and not given.dtype.is_floating:
            raise DTypeError(f"expected the {name} to have a floating-point dtype, got {given.dtype}")
    return reduced(combined(promoted(input, target), input, target), mode)


@op("poisson_nll_loss", traits=Trait.BROADCASTING_LOSS)
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: object = True,
    full: object = False,
    size_average: Legacy = None,
    eps: object = 1e-8,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """Two tensors broadcast, silently, to a floating result."""
    mode = mode_of(reduction, size_average, reduce)
    product = combined(promoted(input, target), input, target)
    if product.dtype is bool_:
        raise DTypeError("cannot subtract tensors of dtype torch.bool; cast them to a floating-point dtype")
    dtype = promoted(input.with_dtype(floating(input.dtype)), product)
    return reduced(product.with_dtype(dtype), mode)


@op("hinge_embedding_loss", traits=Trait.BROADCASTING_LOSS)
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: object = 1.0,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """Distances and targets of 1 and -1 broadcast, silently; the dtype is the input's."""
    mode = mode_of(reduction, size_average, reduce)
    need_subtractable(input)
    if input.dtype is not None and input.dtype.is_complex:
        raise DTypeError(f"expected the input to have a real dtype, got {input.dtype}")
    return reduced(combined(input.dtype, input, target), mode)


@op("soft_margin_loss")
def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """A target that broadcasts to the floating input, whose dtype is the result's."""
    mode = mode_of(reduction, size_average, reduce)
    if input.shape.run is None and target.shape.run is None:
        message = f"cannot broadcast the target of shape {target.shape} to the input of shape {input.shape}"
        fitted_into(target.shape, input.shape, message)
    dtype = input.dtype
    if dtype is not None and not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"expected the input to have a floating-point dtype, got {dtype}")
    elements = combined(need_castable(promoted(input, target), input, "target"), input, target)
    return reduced(elements.with_shape(input.shape, elements.layout), mode)


@op("multilabel_soft_margin_loss")
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Legacy = None,
    reduce: Legacy = None,
    reduction: Reduction = "mean",
) -> Tensor:
    """(..., C) with a target and a weight that broadcast gives one loss for each row, (...)."""
    mode = mode_of(reduction, size_average, reduce)
    if input.rank == 0:
        raise ShapeError("expected an input of shape (..., C), got ()")
    need_float(input.dtype)
    operands = (input, *need_subtractable(target), *(() if weight is None else (weight,)))
    elements = combined(promoted(*operands), *operands)
    classes = -1 if input.rank is None else input.rank - 1
    rows = elements.shape.without(classes)
    return reduced(elements.with_shape(rows, "contiguous" if elements.layout == "contiguous" else "unknown"), mode)


@op("gaussian_nll_loss", traits=Trait.BROADCASTING_LOSS)
def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: object = False,
    eps: object = 1e-6,
    reduction: Reduction = "mean",
) -> Tensor:
    """Input and target broadcast, silently; the variance may lack the last dimension or have 1 in one."""
    if isinstance(var, (int, float)):
        if not isinstance(var, float):
            raise CallError(f"expected var to be a tensor or a float, got {value_text(var)}")
        if var < 0:
            raise CallError(f"expected var to be non-negative, got {var}")
        var = input
    mode = mode_of(reduction)
    variance = _variance(input, var)
    need_subtractable(input, target)
    need_float(var.dtype)
    dtype = promoted(input, target, var)
    return reduced(combined(dtype, variance, input, target), mode)


def _variance(input: Tensor, var: Tensor) -> Tensor:
    if input.rank is None or var.rank is None:
        return var
    if var.rank == input.rank - 1:
        matched(var.shape, input.shape.without(-1), f"expected var of shape {input.shape.without(-1)}, got {var.shape}")
        return var.with_shape(var.shape.inserted(-1, 1), "contiguous" if var.layout == "contiguous" else "unknown")
    message = f"expected var of shape {input.shape}, with 1 in at most one dimension, got {var.shape}"
    if var.rank != input.rank:
        raise ShapeError(message)
    pairs = zip(var.dims, input.dims, strict=True)
    other = [one for one, expected in pairs if same(one, expected) is False]
    if len(other) > 1 or any(same(one, 1) is False for one in other):
        raise ShapeError(message)
    return var


def need_float(dtype: DType | None) -> DType | None:
    """The dtype itself; raises DTypeError if it is not a floating-point dtype."""
    if dtype is not None and not dtype.is_floating:
        raise DTypeError(f"expected a floating-point dtype, got {dtype}")
    return dtype


def need_subtractable(*tensors: Tensor) -> tuple[Tensor, ...]:
    """The tensors themselves; raises DTypeError if one is bool."""
    for tensor in tensors:
        if tensor.dtype is bool_:
            raise DTypeError(f"cannot subtract a tensor of dtype {tensor.dtype}; cast it to a floating-point dtype")
    return tensors


def need_castable(dtype: DType | None, into: Tensor, what: str) -> DType | None:
    """The dtype of `into`, which the elements are cast to; raises DTypeError if they cannot be."""
    if dtype is not None and into.dtype is not None and not castable(dtype, into.dtype):
        raise DTypeError(f"cannot cast the result to {into.dtype}: the {what} promotes it to {dtype}")
    return into.dtype


def _need_same_size(input: Tensor, target: Tensor) -> Tensor:
    message = f"expected a target of shape {input.shape}, got {target.shape}"
    shape = matched(input.shape, target.shape, message)
    elements = combined(None, input, target) if input.shape == target.shape else input
    return elements.with_shape(shape, elements.layout) if elements.shape != shape else elements


def _weighted(input: Tensor, target: Tensor, weight: Tensor, dtype: DType | None, mode: str) -> Tensor:
    message = f"expected a weight of shape {input.shape}, got {weight.shape}"
    matched(weight.shape, input.shape, message)
    both = None if dtype is None or weight.dtype is None else promote(dtype, weight.dtype)
    elements = combined(both, input, target, weight)
    return reduced(elements if mode == "none" else elements.with_dtype(floating(both)), mode)


def _expanded_dtype(input: Tensor, target: Tensor) -> DType | None:
    # torch expands both to one shape first, so a 0-D tensor takes part in dtype promotion like any other.
    if input.dtype is None or target.dtype is None:
        return None
    return promote(input.dtype, target.dtype)


def _real(dtype: DType | None) -> DType | None:
    return None if dtype is None else dtype.to_real()
