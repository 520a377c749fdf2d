"""Methods and attributes of distributions."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import Shape, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.distributions import DistributionSpec, joined
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.domain.values import BuiltinMethod
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.models.distributions.broadcasting import broadcast_tensors

_STATISTICS = frozenset("mean variance stddev mode".split())
_METHODS = frozenset("sample rsample sample_n log_prob prob cdf entropy perplexity expand".split())


def attribute_of(value: DistributionSpec, name: str) -> Value:
    """The value of `distribution.name`."""
    if name in _METHODS:
        return BuiltinMethod(value, name)
    if name in _STATISTICS:
        return value.of_events()
    if name in ("batch_shape", "event_shape"):
        shape = value.batch if name == "batch_shape" else value.event
        return Unknown("an unknown rank") if shape.rank is None else shape.dims
    return Unknown(f"unsupported {name} of a distribution")


def call_of(run: Run, node: ast.AST, method: BuiltinMethod, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of a method of a distribution."""
    value = method.receiver
    if not isinstance(value, DistributionSpec):
        return Unknown(f"unsupported {method.name}() of a distribution")
    if method.name in ("sample", "rsample"):
        return _sample(value, args[0] if args else kwargs.get("sample_shape", ()))
    if method.name in ("log_prob", "cdf"):
        return _log_prob(run, node, value, method.name, (*args, *kwargs.values()))
    if method.name in ("entropy", "perplexity"):
        return value.of_batch()
    return Unknown(f"unsupported {method.name}() of a distribution")


def _sample(value: DistributionSpec, sample_shape: Value) -> Value:
    items = items_of(sample_shape)
    sizes = tuple(one for one in items or () if is_integer(one))
    is_known = items is not None and len(sizes) == len(items)
    leading = Shape(sizes) if is_known else Shape.anything()
    return TensorSpec.make(joined(leading, value.full), value.known.sampled)


def _log_prob(run: Run, node: ast.AST, value: DistributionSpec, name: str, args: tuple[Value, ...]) -> Value:
    if len(args) != 1 or not isinstance(args[0], TensorSpec):
        return Unknown("an unknown value")
    shape = broadcast_tensors(run, node, name, args[0], value.of_events())
    if shape is None or value.event.rank is None:
        return Unknown("a value that does not match the distribution")
    for _ in range(value.event.rank):
        shape = shape.without(-1)
    return TensorSpec.make(shape, value.known.dtype)
