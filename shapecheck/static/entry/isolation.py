"""Runs a function on arguments of which only the annotations and the defaults are known."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from shapecheck.ops import Unknown
from shapecheck.spec import Bindings, TensorSpec, unknown
from shapecheck.static.calls.functions import run_bound
from shapecheck.static.contracts.annotation_reader import read
from shapecheck.static.contracts.annotation_types import (
    ANYTHING,
    NONE,
    AnnotationType,
    InstanceOf,
    SequenceOf,
    TupleOf,
    UnionOf,
)
from shapecheck.static.contracts.contract import contract_of, is_record, mentions_axes, scope_of
from shapecheck.static.contracts.instantiation import AxisInstances, instantiate_annotation, instantiate_collection
from shapecheck.static.contracts.size_expressions import hole_values
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.values import FunctionValue, Value
from shapecheck.static.engine.argument_binding import bind, defaults_of, parameters_of, positional_names
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.origins import CallOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.symbolic_inputs import SymbolicArgument, is_symbolic, run_with_symbolic_inputs


def analyze_isolated(
    run: Run, function: FunctionValue, receiver: tuple[Value, ...] = (), *, keeps_none: bool = False
) -> Value:
    """What the body gives, run once; an argument that is None by default may be anything, or is that."""
    run.begin_analysis(function.node, with_axis_names=contract_of(run, function) is not None)
    with run.inside(Frame(function.closure)):
        bound = _arguments(run, function, receiver, keeps_none)

        def action(learnt: Mapping[str, Value]) -> Value:
            given = {**bound, **learnt}
            call = CallOrigin(None, function.closure, function, 0, given, {}) if run.origins.noted else None
            return run_bound(run, None, function, given, call)

        return run_with_symbolic_inputs(
            run, {name: value for name, value in bound.items() if is_symbolic(value)}, action
        )


def _arguments(run: Run, function: FunctionValue, receiver: tuple[Value, ...], keeps_none: bool) -> dict[str, Value]:
    spec = function.node.args
    parameters = [one.node for one in parameters_of(spec)]
    bound: dict[str, Value] = dict(zip(positional_names(spec), receiver, strict=False))
    defaults = defaults_of(function)
    kinds = _promising(run, function)
    if not receiver and not kinds and spec.vararg is None and (called := bind(function, (), {})) is not None:
        return called
    rest = [one for one in parameters if one.arg not in bound]
    for one in rest:
        if one.arg not in kinds and (made := _collection(run, function, one, defaults)) is not None:
            bound[one.arg] = made
        elif one.arg not in kinds:
            bound[one.arg] = _perhaps(one, defaults[one.arg], keeps_none) if one.arg in defaults else _some(one)
    for extra in (spec.vararg, spec.kwarg):
        if extra is not None and extra.arg not in kinds:
            bound[extra.arg] = Unknown(f"any number of {extra.arg}")
    return bound | _promised(run, function, kinds, bound)


def _collection(run: Run, function: FunctionValue, parameter: ast.arg, defaults: Mapping[str, Value]) -> Value | None:
    """What a plain annotation says of an argument that holds several values, or None beside them."""
    if parameter.annotation is None or defaults.get(parameter.arg) is not None:
        return None
    kind = read(scope_of(run, function), parameter.annotation)
    several = kind.members if isinstance(kind, UnionOf) else (kind,)
    if not all(isinstance(one, SequenceOf) or _is_row(one) or one == NONE for one in several) or kind == NONE:
        return None
    return instantiate_collection(run, kind, parameter.arg)


def _is_row(kind: AnnotationType) -> bool:
    """Whether it is a tuple of several of one plain kind; one alone is often meant to be any number."""
    if not isinstance(kind, TupleOf) or len(kind.items) < 2:
        return False
    return all(one == kind.items[0] and not isinstance(one, (TupleOf, SequenceOf)) for one in kind.items)


def _promising(run: Run, function: FunctionValue) -> dict[str, AnnotationType]:
    """The types of the parameters that promise a shape, or an object whose fields are annotated."""
    contract = contract_of(run, function)
    if contract is not None:
        kinds = contract.parameters
    else:
        scope = scope_of(run, function)
        kinds = {one.name: read(scope, one.node.annotation) for one in parameters_of(function.node.args)}
    return {name: kind for name, kind in kinds.items() if _is_record(kind) or mentions_axes(run, kind)}


def _is_record(kind: AnnotationType) -> bool:
    return isinstance(kind, InstanceOf) and is_record(kind.cls)


def _promised(
    run: Run, function: FunctionValue, kinds: Mapping[str, AnnotationType], others: Mapping[str, Value]
) -> dict[str, Value]:
    contract = contract_of(run, function)
    holes = hole_values(run, () if contract is None else contract.holes, others, function.closure)
    promise = AxisInstances(_scope(function), Bindings(holes=holes))
    return {name: instantiate_annotation(run, kind, promise, name) for name, kind in kinds.items()}


def symbolic_argument(run: Run, function: FunctionValue, parameter: ast.arg) -> Value:
    """A value for an argument of which only the annotation is known."""
    kind = _promising(run, function).get(parameter.arg, ANYTHING)
    if kind is ANYTHING:
        return _some(parameter)
    return instantiate_annotation(run, kind, AxisInstances(_scope(function)), parameter.arg)


def _scope(function: FunctionValue) -> str:
    """A name for the axes of one signature, which no other has."""
    return f"{function.closure.loaded.name}.{function.name}:{getattr(function.node, 'lineno', 0)}"


def _unknown_of(parameter: ast.arg) -> Value:
    """What a plain annotation says of an argument: where it is an int, a size that nobody knows."""
    annotation = parameter.annotation
    if isinstance(annotation, ast.Name) and annotation.id == "int":
        return unknown(parameter.arg)
    if isinstance(annotation, ast.Name) and annotation.id == "float":
        return UnknownFloat()
    if isinstance(annotation, (ast.Name, ast.Attribute)) and ast.unparse(annotation) in ("Tensor", "torch.Tensor"):
        return TensorSpec.anything()
    return Unknown(f"the argument {parameter.arg}")


def _some(parameter: ast.arg) -> Value:
    value = _unknown_of(parameter)
    return SymbolicArgument(parameter.arg) if type(value) is Unknown else value


def _perhaps(parameter: ast.arg, default: Value, keeps_none: bool) -> Value:
    """What is known of an argument that has a default: a caller may well give another size, or something for None."""
    if default is None and not keeps_none:
        return Unknown(f"the argument {parameter.arg}")
    return unknown(parameter.arg) if type(default) is int else default


dispatch.analyze_isolated = analyze_isolated
