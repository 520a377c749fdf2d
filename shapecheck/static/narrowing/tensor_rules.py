"""Narrows tensors by comparisons of their shape, part of their shape, their rank and their dtype."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.spec import ShapeError, TensorSpec
from shapecheck.spec.dtype import DType
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import one_of
from shapecheck.static.domain.array_likes import some_array_like
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.tensor_facts import (
    sizes_of,
    with_axis,
    with_dtype,
    with_least_rank,
    with_part,
    with_rank,
    without_least_rank,
)
from shapecheck.static.narrowing.tensor_reads import TensorRead


def narrowed_tensor(run: Run, rule: TensorRule, view: TensorRead, other: Value, value: Value) -> Value:
    """The tensor narrowed by a rule."""
    if value is None:
        raise ShapeError("None has no shape")
    if type(value) in (Unknown, SymbolicArgument) and (view.torch_only or view.kind == "shape"):
        if view.kind == "shape" and view.torch_only and sizes_of(other) is None:
            return value  # `group.size()` of a process group is a number
        value = TensorSpec.anything() if view.torch_only else some_array_like()
    if not isinstance(value, TensorSpec):
        return value
    return rule(run, value, view, other)


TensorRule = Callable[[Run, TensorSpec, TensorRead, Value], Value]


def _shape_is(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    sizes = sizes_of(other)
    return spec if sizes is None else with_part(run, spec, None, None, sizes)


def _part_is(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    sizes = sizes_of(other)
    return spec if sizes is None else with_part(run, spec, view.start, view.stop, sizes)


def _axis_is(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    return with_axis(run, spec, view.start or 0, other)


def _rank_is(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    return with_rank(spec, other) if type(other) is int else spec


def _rank_is_not(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    if spec.rank is not None and spec.rank == other:
        raise ShapeError(f"the rank is {spec.rank}")
    # Nothing follows for the remaining ranks: the next one may be just as impossible, as may all above the least.
    return without_least_rank(spec) if other == spec.shape.least_rank else spec


def _rank_at_least(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    return with_least_rank(spec, other) if type(other) is int else spec


def _rank_above(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    if spec.rank == 0 and type(other) is not int:  # `while x.ndim > n: x = x[0]` for an unknown n, which is a rank
        raise ShapeError("no rank is below 0")
    return with_least_rank(spec, other + 1) if type(other) is int else spec


def _rank_at_most(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    if type(other) is not int:
        return spec
    if spec.shape.least_rank > other:
        raise ShapeError(f"the rank is at least {spec.shape.least_rank}")
    return with_rank(spec, other) if spec.shape.least_rank == other else spec


def _rank_below(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    return _rank_at_most(run, spec, view, other - 1) if type(other) is int else spec


def _rank_in(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    ranks = sizes_of(other)
    listed = [one for one in ranks or () if type(one) is int]
    if ranks is None or len(listed) < len(ranks):
        return spec
    if spec.rank is not None:
        if spec.rank not in listed:
            raise ShapeError(f"the rank is {spec.rank}")
        return spec
    possible = [with_rank(spec, one) for one in dict.fromkeys(listed) if one >= spec.shape.least_rank]
    if not possible:
        raise ShapeError(f"the rank is at least {spec.shape.least_rank}")
    return one_of(possible)


def _rank_not_in(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    if spec.rank is not None and spec.rank in (sizes_of(other) or ()):
        raise ShapeError(f"the rank is {spec.rank}")
    return spec


def _dtype_is(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    dtype = to_ops(other)
    return with_dtype(spec, dtype, same=True) if isinstance(dtype, DType) else spec


def _dtype_is_not(run: Run, spec: TensorSpec, view: TensorRead, other: Value) -> Value:
    dtype = to_ops(other)
    return with_dtype(spec, dtype, same=False) if isinstance(dtype, DType) else spec


TENSOR_RULES: dict[tuple[str, type[ast.cmpop]], TensorRule] = {
    ("shape", ast.Eq): _shape_is,
    ("part", ast.Eq): _part_is,
    ("axis", ast.Eq): _axis_is,
    ("length", ast.Eq): _axis_is,
    ("rank", ast.Eq): _rank_is,
    ("rank", ast.NotEq): _rank_is_not,
    ("rank", ast.Gt): _rank_above,
    ("rank", ast.GtE): _rank_at_least,
    ("rank", ast.Lt): _rank_below,
    ("rank", ast.LtE): _rank_at_most,
    ("rank", ast.In): _rank_in,
    ("rank", ast.NotIn): _rank_not_in,
    ("dtype", ast.Eq): _dtype_is,
    ("dtype", ast.NotEq): _dtype_is_not,
    ("dtype", ast.Is): _dtype_is,
    ("dtype", ast.IsNot): _dtype_is_not,
}
