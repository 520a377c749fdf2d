"""Function transforms: `torch.vmap` and `torch.func.functional_call`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.spec import Size, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import DictValue
from shapecheck.static.domain.values import ExternalReference, Partial
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.run import Run
from shapecheck.static.models.nn.children import own_parameter

_MAPPED = "torch.vmap of a function"


def _vmap(run: Run, node: ast.AST, function: Value, *options: Value, **more: Value) -> Value:
    """`torch.vmap(function)`, along the first axis of every argument."""
    plain = not options and more.keys() <= {"randomness", "chunk_size"}
    return Partial(ExternalReference(_MAPPED), (function,), {}) if plain else Unknown("vmap along other dimensions")


def _mapped(run: Run, node: ast.AST, function: Value, *args: Value) -> Value:
    tensors = [one for one in args if isinstance(one, TensorSpec) and one.rank]
    if not args or len(tensors) < len(args):
        return Unknown("vmap over arguments that are not tensors")
    rows = tuple(one.with_shape(one.shape.without(0)) for one in tensors)
    return _batched(dispatch.call(run, node, function, rows, {}), tensors[0].dims[0])


def _batched(value: Value, length: Size) -> Value:
    if isinstance(value, TensorSpec):
        return TensorSpec.make(value.shape.inserted(0, length), value.dtype, "unknown", value.device)
    if type(value) is tuple:
        return tuple(_batched(one, length) for one in value)
    return Unknown("vmap of a function that returns no tensor")


def _with_parameters(
    run: Run, node: ast.AST, module: Value, parameters: Value, args: Value = (), *more: Value, **options: Value
) -> Value:
    """`torch.func.functional_call`: calls the module; unknown parameters have the shapes of those that they replace."""
    given = items_of(args) if isinstance(args, tuple) else [args]
    if not all(_keeps_shapes(module, one) for one in (parameters if isinstance(parameters, tuple) else (parameters,))):
        return Unknown("functional_call with parameters of other shapes")
    if given is None or more or "kwargs" in options:
        return Unknown("functional_call with keyword arguments")
    return dispatch.call(run, node, module, tuple(given), {})


def _keeps_shapes(module: Value, parameters: Value) -> bool:
    """Whether no tensor in a dict of parameters is known to have another shape than the parameter of its name."""
    if not isinstance(parameters, DictValue):
        return isinstance(parameters, Unknown)
    return all(_has_shape_of(own_parameter(module, name), one) for name, one in parameters.items.items())


def _has_shape_of(own: Value, given: Value) -> bool:
    if isinstance(given, Unknown):
        return True
    return isinstance(own, TensorSpec) and isinstance(given, TensorSpec) and own.shape == given.shape


ASKING: dict[str, Callable[..., Value]] = {
    "torch.vmap": _vmap,
    "torch.func.vmap": _vmap,
    _MAPPED: _mapped,
    "torch.func.functional_call": _with_parameters,
    "torch.nn.utils.stateless.functional_call": _with_parameters,
}
