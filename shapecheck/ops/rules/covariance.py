"""Covariances and correlations of variables."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, fresh_shape, need_equal
from shapecheck.ops.shared.dtypes import floating, promoted
from shapecheck.spec import DTypeError, Shape, ShapeError, Size, TensorSpec, same


@op("cov")
def cov(
    input: Tensor, *, correction: object = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """n variables with m observations each, (n, m), give (n, n); one variable, (m,), gives a scalar."""
    dims = input.dims
    if len(dims) > 2:
        raise ShapeError(f"expected at most 2 dimensions, got shape {input.shape}")
    if input.dtype is not None and input.dtype.kind == "bool":
        raise DTypeError("expected a numeric dtype, got torch.bool")
    observations = dims[-1] if dims else 1
    for name, weights in (("fweights", fweights), ("aweights", aweights)):
        if weights is not None:
            _need_weights(weights, name, observations)
    dtype = floating(input.dtype)
    if aweights is not None:
        dtype = promoted(TensorSpec.make(Shape((2, 2)), dtype), aweights)
    return fresh_shape(_covariances(dims), dtype, input)


def _covariances(dims: tuple[Size, ...]) -> Shape:
    single = len(dims) < 2 or same(dims[0], 1)  # torch squeezes (1, 1) to a scalar
    if single is None:
        return Shape.anything()
    return Shape() if single else Shape((dims[0], dims[0]))


def _need_weights(weights: Tensor, name: str, observations: Size) -> None:
    if len(weights.dims) > 1:
        raise ShapeError(f"expected {name} to have at most 1 dimension, got shape {weights.shape}")
    whole = weights.dtype is None or weights.dtype.is_integral
    if name == "fweights" and not whole:
        raise DTypeError(f"expected fweights to have an integer dtype, got {weights.dtype}")
    if name == "aweights" and weights.dtype is not None and not weights.dtype.is_floating:
        raise DTypeError(f"expected aweights to have a floating-point dtype, got {weights.dtype}")
    for size in weights.dims:
        expected, got = Shape((observations,)), Shape((size,))
        need_equal(size, observations, f"expected {name} of shape {expected}, got {got} (one per observation)")


@op("corrcoef")
def corrcoef(input: Tensor) -> Tensor:
    """n variables with m observations each, (n, m), give (n, n); one variable, (m,), gives a scalar."""
    return cov(input)
