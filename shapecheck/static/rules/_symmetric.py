"""Whether a matrix is symmetric: `x @ x.T`, also `(x * w).T @ x` whose rows are weighted, and its elements' functions.

It is traced back through the recorded origins of tensors.
"""

from __future__ import annotations

from typing import NamedTuple

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._normalizations import name_of

_MOST_HOPS = 12
_PRODUCTS = frozenset(("@", "mm", "matmul"))
_TRANSPOSES = frozenset("T t mT H mH adjoint transpose swapaxes swapdims".split())
_EXCHANGED: tuple[tuple[Value, ...], ...] = ((1, 0), ((1, 0),))
"""The arguments of `permute` that transpose a matrix."""
_SCALES = frozenset("* mul multiply / div divide true_divide".split())
_ELEMENTWISE = _SCALES | frozenset(
    """
    + - add sub abs clamp clamp_min clone contiguous cos detach double exp expm1 float half log log1p log2 neg pow **
    reciprocal relu round rsqrt sigmoid sqrt square tanh to type
    """.split()
)
"""What keeps a matrix symmetric if there is no other tensor than numbers."""


class _Factor(NamedTuple):
    """A tensor, and which of its dimensions is that of the product."""

    tensor: TensorSpec
    free: int


def is_symmetric(run: Run, matrix: TensorSpec) -> bool:
    """Whether a square matrix is equal to its transpose; False if that is not known."""
    for _ in range(_MOST_HOPS):
        made = None if run.origins.is_overwritten(matrix) else run.origins.of_tensor(matrix)
        if made is None:
            return False
        if name_of(made) in _PRODUCTS:
            return _is_with_itself(run, made)
        operands = [one for one in _tensors(made) if one.rank != 0]
        if len(operands) != 1 or name_of(made) not in _ELEMENTWISE:
            return False
        (matrix,) = operands
    return False


def _is_with_itself(run: Run, made: TensorOrigin) -> bool:
    """Whether it is the product of a matrix and its transpose, of which one is weighted along what is summed over."""
    operands = _tensors(made)
    if len(operands) != 2 or any(one.rank != 2 for one in operands):
        return False
    left, right = _followed(run, _Factor(operands[0], 0)), _followed(run, _Factor(operands[1], 1))
    return left.tensor is right.tensor and left.free == right.free


def _followed(run: Run, factor: _Factor) -> _Factor:
    """The matrix before it is transposed, or weighted along the other dimension."""
    for _ in range(_MOST_HOPS):
        made = run.origins.of_tensor(factor.tensor)
        source = None if made is None or run.origins.is_overwritten(factor.tensor) else _source(made, factor.free)
        if source is None or source.tensor.rank != 2:
            return factor
        factor = source
    return factor


def _source(made: TensorOrigin, free: int) -> _Factor | None:
    name, tensors = name_of(made), _tensors(made)
    if name in _TRANSPOSES or (name == "permute" and made.args[1:] in _EXCHANGED):
        return _Factor(tensors[0], 1 - free) if tensors else None
    if name not in _SCALES or not tensors:
        return None
    if len(tensors) == 2 and name.startswith(("*", "mul")) and _is_weight(tensors[0], free):
        return _Factor(tensors[1], free)
    others = tensors[1:]
    return _Factor(tensors[0], free) if all(_is_weight(one, free) for one in others) else None


def _is_weight(tensor: TensorSpec, free: int) -> bool:
    """Whether a factor is the same for each item of the dimension of the product."""
    if tensor.rank == 2:
        return bool(tensor.dims[free] == 1)
    return tensor.rank == 0 or (tensor.rank == 1 and free == 0)


def _tensors(made: TensorOrigin) -> list[TensorSpec]:
    return [one for one in (*made.args, *made.kwargs.values()) if isinstance(one, TensorSpec)]
