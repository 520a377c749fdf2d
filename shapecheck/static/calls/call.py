"""Calls, by the kind of the callee."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import lru_cache

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.calls.attributes import is_static
from shapecheck.static.calls.builtins import call_builtin, call_method
from shapecheck.static.calls.classes import instantiate
from shapecheck.static.calls.functions import run_function
from shapecheck.static.calls.library_calls import library_call
from shapecheck.static.calls.records import generated_constructor, init_record
from shapecheck.static.calls.wrappers import WRAPPERS, wrapped
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.class_facts import HOOKED, LAYER, has_plain_call
from shapecheck.static.domain.distributions import DistributionSpec
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, ModuleContainer, Object
from shapecheck.static.domain.patched_torch import ALL_CALLS
from shapecheck.static.domain.torch_names import is_modelled
from shapecheck.static.domain.values import BuiltinMethod, ExternalReference, Method, NamedTupleClass, Partial
from shapecheck.static.engine.argument_binding import UNKNOWN_ARGUMENTS, UNKNOWN_KEYWORDS
from shapecheck.static.engine.case_splitting import map_alternatives
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.escape import havoc_escaped, havoc_stored
from shapecheck.static.engine.given_modules import note_given
from shapecheck.static.engine.replaced_operators import is_replaced
from shapecheck.static.engine.run import Run
from shapecheck.static.models.distributions.building import PREFIX as DISTRIBUTIONS
from shapecheck.static.models.distributions.building import distribution
from shapecheck.static.models.distributions.methods import call_of
from shapecheck.static.models.nn.containers import CONTAINERS, build, run_container
from shapecheck.static.models.numpy.conversion import array_of, takes_array, tensor_of
from shapecheck.static.models.numpy.methods import call_of as array_call
from shapecheck.static.models.numpy.module import numpy_call
from shapecheck.static.models.python.collections import make_namedtuple
from shapecheck.static.models.python.mocking import patch
from shapecheck.static.operators.wrong_kind import report_call

_TAKING_ALTERNATIVES = frozenset("Sequential ModuleList ModuleDict partial super print reveal_shape".split())
"""Callees that store or forward their arguments unchanged, so that alternatives need no case splitting."""

_STORING = lazy_pattern(
    r"(append|add|insert|push|put|set|register|subscribe|connect|attach|extend|update)(_|left|default|$)"
)
"""Methods of unknown objects that store what they are given."""
_OF_THE_PROJECT = (FunctionValue, Method, ClassValue, Instance, Partial)


def call(run: Run, node: ast.AST, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """Returns the value of `function(*args, **kwargs)`."""
    run.step()
    if (UNKNOWN_KEYWORDS in kwargs or UNKNOWN_ARGUMENTS in kwargs) and not is_of_project(function):
        found = _of_library(run, node, function, args, kwargs)
        if found is not None:
            return found
        havoc_escaped(run, (*args, *kwargs.values()))
        return Unknown("unknown arguments")
    if type(function) is Alternatives:
        return map_alternatives(run, lambda one: call(run, node, one, args, kwargs), function)
    if (_has_alternatives(args) or (kwargs and _has_alternatives(kwargs.values()))) and _is_outside(function):
        return map_alternatives(
            run,
            lambda *values: call(
                run, node, function, values[: len(args)], dict(zip(kwargs, values[len(args) :], strict=True))
            ),
            *args,
            *kwargs.values(),
        )
    return _RULES.get(type(function), call_object)(run, node, function, args, kwargs)


def is_of_project(function: Value) -> bool:
    """Whether the callee is defined by the project, or generated for a dataclass of it."""
    is_generated = isinstance(function, BuiltinMethod) and generated_constructor(function) is not None
    return is_generated or isinstance(function, _OF_THE_PROJECT)


def _of_library(
    run: Run, node: ast.AST, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value | None:
    """The result of a call of a library whose source is read; None for any other."""
    if not isinstance(function, ExternalReference) or function.name.startswith(("torch.", "builtins.")):
        return None
    return library_call(run, node, function.name, args, kwargs)


def _method(run: Run, node: ast.AST, function: Method, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    return run_function(run, node, function.function, (function.receiver, *args), kwargs)


def _named_tuple(
    run: Run, node: ast.AST, function: NamedTupleClass, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    return make_namedtuple(function, args, kwargs)


def _partial(run: Run, node: ast.AST, function: Partial, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    return call(run, node, function.function, (*function.args, *args), {**function.kwargs, **kwargs})


def _builtin(
    run: Run, node: ast.AST, function: BuiltinMethod, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    """The result of a method of Python, torch or numpy, or of a constructor that `dataclass` generates."""
    receiver, generated = function.receiver, generated_constructor(function)
    if generated is not None:
        return init_record(run, node, *generated, args, kwargs)
    if isinstance(receiver, DistributionSpec):
        return call_of(run, node, function, args, kwargs)
    if "hook" in function.name or function.name == "apply":
        havoc_escaped(run, args)
    if isinstance(receiver, ArraySpec):
        return array_call(function, args, kwargs)
    if not isinstance(receiver, TensorSpec):
        return call_method(run, node, function, args, kwargs)
    if function.name == "numpy":
        return array_of(receiver)
    return dispatch.torch_call(run, node, f"Tensor.{function.name}", (receiver, *args), kwargs)


def _is_outside(function: Value) -> bool:
    """Whether the callee belongs to torch or Python, whose models do not accept alternatives."""
    if isinstance(function, ExternalReference):
        return function.name.rpartition(".")[2] not in _TAKING_ALTERNATIVES
    return isinstance(function, ModuleSpec) or (
        isinstance(function, BuiltinMethod) and not isinstance(function.receiver, Object)
    )


def _has_alternatives(values: Iterable[Value]) -> bool:
    for one in values:  # noqa: SIM110 - a generator costs more than all of it
        if type(one) is Alternatives:
            return True
    return False


def call_object(run: Run, node: ast.AST, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of calling an object: a layer of torch, a container, or an instance of a class of the project."""
    kind = function.kind if isinstance(function, ModuleContainer) else ALL_CALLS
    if is_replaced(run, ALL_CALLS) or is_replaced(run, kind):
        function = Unknown("a module whose call the program replaces")
    if isinstance(function, ModuleSpec):
        return dispatch.torch_call(run, node, function, args, kwargs)
    if isinstance(function, ModuleContainer):
        return run_container(run, node, function, args)
    if isinstance(function, Instance):
        if HOOKED in function.fields or "__class__" in function.fields:
            havoc_escaped(run, (*args, *kwargs.values()))
            return Unknown("a result that a hook or another class may change")
        method = _called_method(function)
        if method is not None:
            return call(run, node, method, args, kwargs)
        if LAYER in function.fields:
            return call_object(run, node, function.fields[LAYER], args, kwargs)
    wrong = report_call(run, node, function)
    if wrong is not None:
        return wrong
    written = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
    (havoc_stored if _STORING.match(written) else havoc_escaped)(run, (*args, *kwargs.values()))
    note_given(run, (*args, *kwargs.values()))
    patch(run, node, args)
    if written == "step" and len(args) == 1:
        return _step_with_closure(run, node, args[0])
    return Unknown("call of an unknown value")


def _called_method(value: Instance) -> Value:
    """What a call of an object runs: `__call__` of its class, or its forward, which may be set on the object itself."""
    for name in ("__call__", "forward"):
        if name == "forward" and not has_plain_call(value.cls):
            return None
        if name == "forward" and name in value.fields:
            return value.fields[name]
        holder = value.cls.holder(name)
        if isinstance(holder, ClassValue) and isinstance(method := holder.fields[name], FunctionValue):
            return method if is_static(method.node) else Method(method, value)
    return None


def _step_with_closure(run: Run, node: ast.AST, closure: Value) -> Value:
    """`optimizer.step(closure)` returns the result of the closure."""
    return call(run, node, closure, (), {}) if isinstance(closure, FunctionValue) else Unknown("an unknown step")


def notify_stacked(run: Run, node: ast.AST, function: Value, args: tuple[Value, ...]) -> None:
    """Calls the hooks for layers that are passed to a container."""
    if isinstance(function, ExternalReference):
        for rule in run.rules.stacked.get(function.name.rpartition(".")[2]):
            rule(run, node, args)


def _external(
    run: Run, node: ast.AST, function: ExternalReference, args: tuple[Value, ...], kwargs: dict[str, Value]
) -> Value:
    name = function.name
    rule = _rule_for(name)
    if rule not in (_container, _of_numpy) and takes_array(name, args):
        rule = tensor_of
    if rule in (dispatch.torch_call, wrapped) and kwargs:
        havoc_escaped(run, (one for one in kwargs.values() if isinstance(one, FunctionValue)))
    return rule(run, node, name, args, kwargs)


@lru_cache(maxsize=1 << 12)
def _rule_for(name: str) -> Callable[..., Value]:
    """Returns the function that calls this function or class from outside the project."""
    short = name.removeprefix("torch.").removeprefix("nn.modules.").removeprefix("nn.")
    if name.startswith("torch.") and short.rpartition(".")[2] in CONTAINERS:
        return _container
    if name in WRAPPERS:
        return wrapped
    if name.startswith("numpy."):
        return _of_numpy
    if name.startswith(DISTRIBUTIONS):
        return distribution
    if name.startswith(("torch.", "einops.", "einx.", "torchvision.", "torch_einops_utils.")) and is_modelled(name):
        return dispatch.torch_call
    return call_builtin


def _container(run: Run, node: ast.AST, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    notify_stacked(run, node, ExternalReference(name), args)
    return build(run, name.rpartition(".")[2], args, kwargs)


def _of_numpy(run: Run, node: ast.AST, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    return numpy_call(run, name, args, kwargs)


_RULES: dict[type, Callable[..., Value]] = {
    ExternalReference: _external,
    FunctionValue: run_function,
    Method: _method,
    ClassValue: instantiate,
    BuiltinMethod: _builtin,
    NamedTupleClass: _named_tuple,
    Partial: _partial,
}


dispatch.call = call
dispatch.call_object = call_object
