"""`Normal(mean, deviation)` and its kin: the distribution that a constructor makes."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import DType, Shape, ShapeError, TensorSpec, broadcast
from shapecheck.spec.dtype import DEFAULT_FLOAT, promote
from shapecheck.static.domain.distribution_classes import KINDS, DistributionClass
from shapecheck.static.domain.distributions import DistributionSpec, joined
from shapecheck.static.domain.values import Value
from shapecheck.static.engine.run import Run
from shapecheck.static.models.distributions.meeting import met

PREFIX = "torch.distributions."
_NOT_PARAMETERS = frozenset(("validate_args",))


def distribution(run: Run, node: ast.AST, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """What a call of `torch.distributions.<name>` gives; Unknown for what the table does not hold."""
    short = name.rpartition(".")[2]
    if short == "Independent":
        return _independent(*args, **kwargs) if len(args) + len(kwargs) == 2 else Unknown("Independent of what?")
    if short == "MultivariateNormal":
        return _multivariate(args, kwargs)
    if short in ("kl_divergence", "kl.kl_divergence"):
        return _divergence(run, node, args)
    kind = KINDS.get(short)
    if kind is None:
        return Unknown(f"{name} is not modelled")
    given = _parameters(kind, args, kwargs)
    if given is None:
        return Unknown(f"the parameters of {short} are not known")
    return _made(run, node, short, kind, given)


def _parameters(
    kind: DistributionClass, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> list[TensorSpec | float] | None:
    named = dict(zip(kind.parameters, args, strict=False)) | kwargs
    if not named.keys() <= {*kind.parameters, *_NOT_PARAMETERS}:
        return None
    found = [named[name] for name in kind.parameters if named.get(name) is not None]
    due = 1 if kind.either else len(kind.parameters)
    if len(found) != due or not all(isinstance(one, (TensorSpec, int, float)) for one in found):
        return None
    return found


def _made(run: Run, node: ast.AST, name: str, kind: DistributionClass, given: list[TensorSpec | float]) -> Value:
    tensors = [one for one in given if isinstance(one, TensorSpec)]
    shape = Shape()
    for one in tensors:
        both = met(run, node, name, TensorSpec.make(shape, one.dtype), one)
        if both is None:
            return Unknown(f"the parameters of {name} do not broadcast")
        shape = both
    dtype = _dtype(tensors)
    cut = kind.events or int(kind.indices)
    if not cut:
        return DistributionSpec(name, shape, Shape(), dtype, kind.sampled or dtype)
    last = shape.at(-1) if shape.rank != 0 else None
    if last is None:
        return Unknown(f"the last axis of the parameters of {name} is not known")
    event = Shape((last,)) if kind.events else Shape()
    return DistributionSpec(name, shape.without(-1), event, dtype, kind.sampled or dtype)


def _dtype(tensors: list[TensorSpec]) -> DType | None:
    if not tensors:
        return DEFAULT_FLOAT
    found = tensors[0].dtype
    for one in tensors[1:]:
        found = None if found is None or one.dtype is None else promote(found, one.dtype)
    return found if found is not None and found.is_floating else None


def _independent(base_distribution: Value = None, reinterpreted_batch_ndims: Value = None) -> Value:
    base, count = base_distribution, reinterpreted_batch_ndims
    if not isinstance(base, DistributionSpec) or type(count) is not int or base.batch.rank is None:
        return Unknown("an unknown distribution")
    if not 0 <= count <= base.batch.rank:
        return Unknown("more axes than the batch has")
    kept = base.batch.rank - count
    return base.with_shapes(Shape(base.batch.dims[:kept]), joined(Shape(base.batch.dims[kept:]), base.event))


def _multivariate(args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    names = ("loc", "covariance_matrix", "precision_matrix", "scale_tril")
    given = dict(zip(names, args, strict=False)) | kwargs
    loc = given.pop("loc", None)
    matrix = next((given[name] for name in names if given.get(name) is not None), None)
    if not isinstance(loc, TensorSpec) or not isinstance(matrix, TensorSpec) or not loc.rank:
        return Unknown("an unknown normal distribution")
    if matrix.rank is None or matrix.rank < 2:
        return Unknown("an unknown covariance")
    try:
        batch = broadcast(loc.shape.without(-1), Shape(matrix.dims[:-2])).shape
    except ShapeError:
        return Unknown("batches that do not fit")
    return DistributionSpec("MultivariateNormal", batch, Shape(loc.dims[-1:]), loc.dtype, loc.dtype)


def _divergence(run: Run, node: ast.AST, args: tuple[Value, ...]) -> Value:
    if len(args) != 2 or not all(isinstance(one, DistributionSpec) for one in args):
        return Unknown("unknown distributions")
    shape = met(run, node, "kl_divergence", *(one.of_batch() for one in args))
    return Unknown("batches that do not fit") if shape is None else TensorSpec.make(shape, args[0].known.dtype)
