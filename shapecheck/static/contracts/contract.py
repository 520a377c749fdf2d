"""The annotations of functions and classes, read once, and whether they say anything about axes."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from shapecheck.static.contracts.annotation_reader import read
from shapecheck.static.contracts.annotation_types import (
    ANYTHING,
    AnnotationType,
    InstanceOf,
    SequenceOf,
    TensorType,
    annotations_in,
    parts,
)
from shapecheck.static.contracts.name_resolution import AnnotationScope
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.values import UNREAD, ClassValue, FunctionValue
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.run import Run

_DEEPEST = 3
RECORDS = frozenset(("typing.NamedTuple", "typing_extensions.NamedTuple"))


@dataclass(frozen=True, slots=True)
class Contract:
    """The types of a function's parameters, in order, and of what it returns; `holes` are the `{...}` in them."""

    parameters: dict[str, AnnotationType]
    returns: AnnotationType
    holes: tuple[str, ...]


def contract_of(run: Run, function: FunctionValue) -> Contract | None:
    """The function's contract, None where its annotations say nothing about axes."""
    if function.contract is UNREAD:
        function.contract = None  # a class that names itself asks for this again
        function.contract = _read(run, function)
    return function.contract  # type: ignore[no-any-return]


def scope_of(run: Run, function: FunctionValue) -> AnnotationScope:
    """Where the annotations of a function stand."""
    return AnnotationScope(run, function.closure, function.owner)


def _read(run: Run, function: FunctionValue) -> Contract | None:
    node = function.node
    if isinstance(node, ast.Lambda):
        return None
    spec = node.args
    every = [one.node for one in parameters_of(spec)]
    if node.returns is None and all(one is None or one.annotation is None for one in (*every, spec.vararg, spec.kwarg)):
        return None
    scope = scope_of(run, function)
    kinds = {one.arg: read(scope, one.annotation) for one in every if one.annotation is not None}
    for rest, mapping in ((spec.vararg, False), (spec.kwarg, True)):
        if rest is not None and rest.annotation is not None:
            kinds[rest.arg] = SequenceOf(read(scope, rest.annotation), mapping)
    returns = read(scope, node.returns)
    if not any(mentions_axes(run, kind) for kind in (*kinds.values(), returns)):
        return None
    parameters = {name: kind for name, kind in kinds.items() if kind is not ANYTHING}
    found = [hole for kind in (*kinds.values(), returns) for one in annotations_in(kind) for hole in one.holes]
    return Contract(parameters, returns, tuple(dict.fromkeys(found)))


def field_types(run: Run, cls: ClassValue) -> dict[str, AnnotationType]:
    """The types of the annotated names of a class and its bases, bases first."""
    if cls.kinds is UNREAD:
        cls.kinds = {}
        for one in reversed(cls.mro()):
            scope = AnnotationScope(run, one.closure, one)
            for statement in one.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    cls.kinds[statement.target.id] = read(scope, statement.annotation)
    return cls.kinds  # type: ignore[no-any-return]


def mentions_axes(run: Run, kind: AnnotationType, depth: int = 0) -> bool:
    """Whether a type says something about axes, itself or by the fields or methods of its class."""
    if isinstance(kind, TensorType):
        return kind.has_axes
    if isinstance(kind, InstanceOf):
        return _class_carries(run, kind.cls, depth)
    return any(mentions_axes(run, part, depth) for part in parts(kind))


def _class_carries(run: Run, cls: ClassValue, depth: int) -> bool:
    if cls.carries is UNREAD:
        found = depth < _DEEPEST and (_methods_carry(run, cls) or _fields_carry(run, cls, depth + 1))
        if depth:  # a class that names itself asks for this again
            return found
        cls.carries = found
    return cls.carries  # type: ignore[no-any-return]


def _fields_carry(run: Run, cls: ClassValue, depth: int) -> bool:
    return any(mentions_axes(run, kind, depth) for kind in field_types(run, cls).values())


def _methods_carry(run: Run, cls: ClassValue) -> bool:
    methods = (one.fields.get(name) for one in cls.mro() for name in ("forward", "__call__"))
    return any(isinstance(one, FunctionValue) and contract_of(run, one) is not None for one in methods)


def is_record(cls: ClassValue) -> bool:
    """Whether its annotated names are its fields: a dataclass, a NamedTuple."""
    return bool(cls.outside() & RECORDS) or any(map(is_dataclass_decorator, cls.node.decorator_list))


def is_dataclass_decorator(node: ast.expr) -> bool:
    """Whether it is `@dataclass` or `@dataclass(...)`."""
    return name_of_callee(node) == "dataclass"
