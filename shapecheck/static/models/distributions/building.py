"""Constructors of distributions, such as `Normal(loc, scale)`."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import DType, Shape, ShapeError, TensorSpec, broadcast
from shapecheck.spec.dtype import DEFAULT_FLOAT, promote
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.distribution_classes import KINDS, DistributionClass
from shapecheck.static.domain.distributions import DistributionSpec, joined
from shapecheck.static.engine.run import Run
from shapecheck.static.models.distributions.broadcasting import broadcast_tensors

PREFIX = "torch.distributions."
_NOT_PARAMETERS = frozenset(("validate_args",))


def distribution(run: Run, node: ast.AST, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of a call of `name`, a class or function of torch.distributions; Unknown if it is not modeled."""
    short = name.rpartition(".")[2]
    if short == "Independent":
        return (
            _independent(*args, **kwargs)
            if len(args) + len(kwargs) == 2
            else Unknown("Independent without a distribution")
        )
    if short == "MultivariateNormal":
        return _multivariate(args, kwargs)
    if short in ("kl_divergence", "kl.kl_divergence"):
        return _divergence(run, node, args)
    kind = KINDS.get(short)
    if kind is None:
        return Unknown(f"unsupported distribution {name}")
    parameters = _parameters(kind, args, kwargs)
    if parameters is None:
        return Unknown(f"unknown parameters of {short}")
    return _from_parameters(run, node, short, kind, parameters)


def _parameters(
    kind: DistributionClass, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> list[TensorSpec | float] | None:
    """The arguments for the parameters of a distribution; None if some are missing or unknown."""
    named = dict(zip(kind.parameters, args, strict=False)) | kwargs
    if not named.keys() <= {*kind.parameters, *_NOT_PARAMETERS}:
        return None
    found = [named[name] for name in kind.parameters if named.get(name) is not None]
    known = [one for one in found if isinstance(one, (TensorSpec, int, float))]
    required = 1 if kind.either else len(kind.parameters)
    return known if len(known) == len(found) == required else None


def _from_parameters(
    run: Run, node: ast.AST, name: str, kind: DistributionClass, parameters: list[TensorSpec | float]
) -> Value:
    tensors = [one for one in parameters if isinstance(one, TensorSpec)]
    shape = Shape()
    for one in tensors:
        common = broadcast_tensors(run, node, name, TensorSpec.make(shape, one.dtype), one)
        if common is None:
            return Unknown(f"parameters of {name} that cannot be broadcast")
        shape = common
    dtype = _dtype(tensors)
    if not kind.events and not kind.indices:
        return DistributionSpec(name, shape, Shape(), dtype, kind.sampled or dtype)
    last = shape.at(-1) if shape.rank != 0 else None
    if last is None:
        return Unknown(f"unknown last dimension of the parameters of {name}")
    event = Shape((last,)) if kind.events else Shape()
    return DistributionSpec(name, shape.without(-1), event, dtype, kind.sampled or dtype)


def _dtype(tensors: list[TensorSpec]) -> DType | None:
    """The dtype of the parameters: the default one if all are Python numbers; None if unknown."""
    if not tensors:
        return DEFAULT_FLOAT
    found = tensors[0].dtype
    for one in tensors[1:]:
        found = None if found is None or one.dtype is None else promote(found, one.dtype)
    return found if found is not None and found.is_floating else None


def _independent(base_distribution: Value = None, reinterpreted_batch_ndims: Value = None, **_: Value) -> Value:
    """The result of `Independent(...)`, with the parameter names of torch."""
    base, count = base_distribution, reinterpreted_batch_ndims
    if not isinstance(base, DistributionSpec) or type(count) is not int or base.batch.rank is None:
        return Unknown("an unknown distribution")
    if not 0 <= count <= base.batch.rank:
        return Unknown("more dimensions than the batch has")
    kept = base.batch.rank - count
    return base.with_shapes(Shape(base.batch.dims[:kept]), joined(Shape(base.batch.dims[kept:]), base.event))


def _multivariate(args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    names = ("loc", "covariance_matrix", "precision_matrix", "scale_tril")
    named = dict(zip(names, args, strict=False)) | kwargs
    loc = named.pop("loc", None)
    matrix = next((named[name] for name in names if named.get(name) is not None), None)
    if not isinstance(loc, TensorSpec) or not isinstance(matrix, TensorSpec) or not loc.rank:
        return Unknown("an unknown normal distribution")
    if matrix.rank is None or matrix.rank < 2:
        return Unknown("an unknown covariance")
    try:
        batch = broadcast(loc.shape.without(-1), Shape(matrix.dims[:-2])).shape
    except ShapeError:
        return Unknown("batches of different shapes")
    return DistributionSpec("MultivariateNormal", batch, Shape(loc.dims[-1:]), loc.dtype, loc.dtype)


def _divergence(run: Run, node: ast.AST, args: tuple[Value, ...]) -> Value:
    p, q = args if len(args) == 2 else (None, None)
    if not isinstance(p, DistributionSpec) or not isinstance(q, DistributionSpec):
        return Unknown("unknown distributions")
    shape = broadcast_tensors(run, node, "kl_divergence", p.of_batch(), q.of_batch())
    return Unknown("batches of different shapes") if shape is None else TensorSpec.make(shape, p.known.dtype)
