"""Analyzes a function in isolation: with symbolic arguments made from annotations and defaults."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping

from shapecheck.ops import Unknown
from shapecheck.project.tree_walk import walk
from shapecheck.spec import Bindings, TensorSpec, unknown
from shapecheck.static.calls.functions import run_bound
from shapecheck.static.contracts.annotation_reader import read
from shapecheck.static.contracts.annotation_types import (
    ANYTHING,
    NONE,
    AnnotationType,
    InstanceOf,
    PlainType,
    SequenceOf,
    TensorType,
    TupleOf,
    UnionOf,
)
from shapecheck.static.contracts.contract import contract_of, is_record, mentions_axes, scope_of
from shapecheck.static.contracts.foreign_types import excludes_tensors
from shapecheck.static.contracts.instantiation import AxisInstances, instantiate_annotation, instantiate_collection
from shapecheck.static.contracts.name_resolution import AnnotationScope
from shapecheck.static.contracts.size_expressions import hole_values
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import base_layer, has_plain_call, is_module
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.objects import FunctionValue, Instance
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.domain.unset_argument import UnsetArgument
from shapecheck.static.engine.argument_binding import (
    Parameter,
    defaults_of,
    parameters_of,
    positional_names,
    unknown_dict,
)
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.entry_defaults import of_same_type
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.optional_arguments import Optionals
from shapecheck.static.engine.origins import CallOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.symbolic_inputs import is_symbolic, run_with_symbolic_inputs, settled_inputs
from shapecheck.static.entry.claims import run_isolated
from shapecheck.static.entry.fixtures import apply_fixtures


def analyze_isolated(
    run: Run, function: FunctionValue, receiver: tuple[Value, ...] = (), *, optionals: Optionals = Optionals.UNKNOWN
) -> Value:
    """The result of the body; `optionals` is what an argument with the default None is."""
    run.begin_analysis(function.node, with_axis_names=contract_of(run, function) is not None)
    with run.inside(Frame(function.closure)):
        apply_fixtures(run, function)
        bound = arguments_of(run, function, receiver, optionals)

        def action(learnt: Mapping[str, Value]) -> Value:
            given = {**bound, **learnt}
            call = CallOrigin(None, function.closure, function, 0, given, {}) if run.origins.noted else None
            return run_bound(run, None, function, given, call)

        is_forward = is_forward_of_module(function, receiver)
        symbolic = {name: value for name, value in bound.items() if is_symbolic(value)}
        if optionals.is_eager:
            return run_with_symbolic_inputs(run, symbolic, action, tensors=is_forward, eager=True)
        if run.defaults.resized is None:
            return run_isolated(run, function, bound, action, tensors=is_forward)
        return action(run.defaults.resized({**bound, **settled_inputs(run, symbolic, action, tensors=is_forward)}))


def refinable_arguments(run: Run, function: FunctionValue, receiver: tuple[Value, ...]) -> set[str]:
    """The parameters whose uses can refine an argument, if all optional ones are given."""
    bound = arguments_of(run, function, receiver, Optionals.PRESENT)
    return {name for name, value in bound.items() if is_symbolic(value)}


def is_forward_of_module(function: FunctionValue, receiver: tuple[Value, ...]) -> bool:
    """Whether it is the `forward` of a module, which receives tensors."""
    return function.name == "forward" and any(
        isinstance(one, Instance)
        and (is_module(one.cls) or base_layer(one.cls) is not None)
        and has_plain_call(one.cls)
        for one in receiver
    )


def arguments_of(
    run: Run, function: FunctionValue, receiver: tuple[Value, ...], optionals: Optionals
) -> dict[str, Value]:
    """The symbolic arguments of a function, the receiver included."""
    spec = function.node.args
    bound: dict[str, Value] = dict(zip(positional_names(spec), receiver, strict=False))
    types = _given_types(run, function)
    bound |= _unknown_extras(spec, types)
    parameters = [one for one in parameters_of(spec) if one.name not in bound]
    defaults = defaults_of(function)
    if not receiver and not types and spec.vararg is None and all(one.default is not None for one in parameters):
        if spec.kwarg is not None and _passes_on(function.node, spec.kwarg.arg):
            bound[spec.kwarg.arg] = run.defaults.keywords(function, spec.kwarg)
        bound |= {one.name: run.defaults.argument(function, one, defaults[one.name]) for one in parameters}
        return bound | run.defaults.replacing(parameters)
    for one in parameters:
        if one.name in types:
            continue
        if (made := _collection(run, function, one, defaults)) is not None:
            bound[one.name] = made
        elif one.name in defaults:
            bound[one.name] = _defaulted(run, function, one, defaults[one.name], optionals)
        else:
            bound[one.name] = _symbolic_or_unknown(scope_of(run, function), one.node)
    bound |= run.defaults.replacing(one for one in parameters if one.name not in types)
    return bound | _contract_values(run, function, types, bound)


def _unknown_extras(spec: ast.arguments, types: Container[str]) -> dict[str, Value]:
    """Any number of arguments for `*args` and `**kwargs`."""
    extras: dict[str, Value] = {}
    if spec.vararg is not None and spec.vararg.arg not in types:
        extras[spec.vararg.arg] = Unknown(f"unknown arguments of *{spec.vararg.arg}")
    if spec.kwarg is not None and spec.kwarg.arg not in types:
        extras[spec.kwarg.arg] = unknown_dict()
    return extras


def _passes_on(function: ast.AST, name: str) -> bool:
    """Whether a function passes on its `**kwargs`, as one that builds a model does, and does not only read them."""
    calls = [one for one in walk(function) if isinstance(one, ast.Call)]
    given = (one for call in calls for one in (*call.args, *(keyword.value for keyword in call.keywords)))
    return any(isinstance(one, ast.Name) and one.id == name for one in given)


def _collection(run: Run, function: FunctionValue, one: Parameter, defaults: Mapping[str, Value]) -> Value | None:
    """The value of a plain annotation of a collection, possibly optional; None for any other annotation."""
    if one.node.annotation is None or defaults.get(one.name) is not None:
        return None
    kind = read(scope_of(run, function), one.node.annotation)
    several = kind.members if isinstance(kind, UnionOf) else (kind,)
    tuples = [member for member in several if isinstance(member, TupleOf)]
    if not all(isinstance(each, (SequenceOf, TupleOf)) or each == NONE for each in several) or kind == NONE:
        return None
    if not all(map(_is_uniform, tuples)):
        return None
    value = instantiate_collection(run, kind, one.name)
    if not tuples:
        return value
    opened = UnionOf(tuple(SequenceOf(each.items[0]) if isinstance(each, TupleOf) else each for each in several))
    return run.defaults.declared(function, one, value, instantiate_collection(run, opened, one.name))


def _is_uniform(kind: TupleOf) -> bool:
    """Whether a tuple has several items of one plain type; `tuple[X]` often means any number of items."""
    if len(kind.items) < 2:
        return False
    return all(one == kind.items[0] and not isinstance(one, (TupleOf, SequenceOf)) for one in kind.items)


def _contract_types(run: Run, function: FunctionValue) -> dict[str, AnnotationType]:
    """The types of the parameters whose annotation is a contract, or a class with annotated fields."""
    contract = contract_of(run, function)
    if contract is not None:
        types = contract.parameters
    else:
        scope = scope_of(run, function)
        types = {one.name: read(scope, one.node.annotation) for one in parameters_of(function.node.args)}
    return {name: kind for name, kind in types.items() if _is_record(kind) or mentions_axes(run, kind)}


def _given_types(run: Run, function: FunctionValue) -> dict[str, AnnotationType]:
    """The types of these parameters, without None for those that a variant gives a tensor."""
    types = _contract_types(run, function)
    given = {one.arg for one in run.defaults.replaced}
    return {name: _without_none(kind) if name in given else kind for name, kind in types.items()} if given else types


def _without_none(kind: AnnotationType) -> AnnotationType:
    """The members of a union that are not None."""
    members = tuple(one for one in kind.members if one != NONE) if isinstance(kind, UnionOf) else ()
    return members[0] if len(members) == 1 else UnionOf(members) if members else kind


def _is_record(kind: AnnotationType) -> bool:
    return isinstance(kind, InstanceOf) and is_record(kind.cls)


def _contract_values(
    run: Run, function: FunctionValue, types: Mapping[str, AnnotationType], others: Mapping[str, Value]
) -> dict[str, Value]:
    contract = contract_of(run, function)
    holes = hole_values(run, () if contract is None else contract.holes, others, function.closure)
    promise = AxisInstances(_scope(function), Bindings(holes=holes))
    return {name: instantiate_annotation(run, kind, promise, name) for name, kind in types.items()}


def symbolic_argument(run: Run, function: FunctionValue, parameter: ast.arg) -> Value:
    """The symbolic value of an argument, from its annotation."""
    kind = _contract_types(run, function).get(parameter.arg, ANYTHING)
    if kind is ANYTHING:
        return _symbolic_or_unknown(scope_of(run, function), parameter)
    return instantiate_annotation(run, kind, AxisInstances(_scope(function)), parameter.arg)


def _scope(function: FunctionValue) -> str:
    """A unique name for the axes of a signature."""
    return f"{function.closure.loaded.name}.{function.name}:{getattr(function.node, 'lineno', 0)}"


def _unknown_value(scope: AnnotationScope, parameter: ast.arg) -> Value:
    """An unknown value of the type of a plain annotation; for an int, a symbolic size."""
    kind = read(scope, parameter.annotation)
    if kind == PlainType(int):
        return unknown(parameter.arg)
    if kind == PlainType(float):
        return UnknownFloat()
    return TensorSpec.anything() if isinstance(kind, TensorType) else Unknown(f"argument {parameter.arg}")


def _symbolic_or_unknown(scope: AnnotationScope, parameter: ast.arg) -> Value:
    """The value of a plain annotation; a symbolic argument, unless the annotation excludes tensors."""
    value = _unknown_value(scope, parameter)
    is_open = type(value) is Unknown and not excludes_tensors(scope, parameter.annotation)
    return SymbolicArgument(parameter.arg) if is_open else value


def nullable_arguments(run: Run, function: FunctionValue, optionals: Optionals) -> dict[str, Value]:
    """The arguments without a default that may be a tensor or None by their annotation, if they are given or not."""
    if optionals is Optionals.UNKNOWN:
        return {}
    scope = scope_of(run, function)
    found: dict[str, Value] = {}
    for one in parameters_of(function.node.args):
        kind = ANYTHING if one.default is not None else read(scope, one.node.annotation)
        members = kind.members if isinstance(kind, UnionOf) else ()
        if NONE in members and any(isinstance(each, TensorType) for each in members):
            is_present = optionals is Optionals.PRESENT
            found[one.name] = _assumed(scope, one.node, is_present=is_present) if optionals.is_eager else None
    return found


def _assumed(scope: AnnotationScope, parameter: ast.arg, *, is_present: bool) -> Value:
    """The value of an optional argument that is as its uses require."""
    kind = read(scope, parameter.annotation)
    is_tensor = isinstance(kind, UnionOf) and any(isinstance(one, TensorType) for one in kind.members)
    if is_tensor and is_present:
        return TensorSpec.anything()
    value = SymbolicArgument(parameter.arg) if is_tensor else _symbolic_or_unknown(scope, parameter)
    return value.without(frozenset((None,))) if type(value) is SymbolicArgument and is_present else value


def _defaulted(run: Run, function: FunctionValue, parameter: Parameter, default: Value, optionals: Optionals) -> Value:
    """The value of an argument with a default: a caller may pass another size, or something in place of None."""
    if default is None and optionals.is_eager:
        return _assumed(scope_of(run, function), parameter.node, is_present=optionals is Optionals.PRESENT)
    if default is None and optionals is Optionals.UNKNOWN:
        return UnsetArgument(parameter.name)
    if type(default) is int:
        return of_same_type(parameter.name, default)
    return run.defaults.argument(function, parameter, default)


dispatch.analyze_isolated = analyze_isolated
