"""The annotations of functions and classes, parsed once, and whether they mention axes."""

from __future__ import annotations

import ast
from typing import NamedTuple

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
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.domain.unread import UNREAD
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.run import Run

_MAX_DEPTH = 3
RECORDS = frozenset(("typing.NamedTuple", "typing_extensions.NamedTuple"))
_TYPED_DICTS = frozenset(("typing.TypedDict", "typing_extensions.TypedDict"))


class Contract(NamedTuple):
    """The types of a function's parameters, in order, and of its result; `holes` are the `{...}` in them."""

    parameters: dict[str, AnnotationType]
    returns: AnnotationType
    holes: tuple[str, ...]


def contract_of(run: Run, function: FunctionValue) -> Contract | None:
    """Returns the function's contract; None if its annotations mention no axes."""
    if function.contract is UNREAD:
        function.contract = None  # reading a class that refers to itself comes back here
        function.contract = _read(run, function)
    return function.contract


def scope_of(run: Run, function: FunctionValue) -> AnnotationScope:
    """The scope in which the annotations of a function are resolved."""
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
    return cls.kinds


def fields_with_aliases(cls: ClassValue) -> frozenset[str]:
    """The annotated names of a class whose annotation is only a name, such as an alias."""
    fields = [one for base in cls.mro() for one in base.node.body if isinstance(one, ast.AnnAssign)]
    named = [one.target for one in fields if isinstance(one.annotation, (ast.Name, ast.Attribute))]
    return frozenset(one.id for one in named if isinstance(one, ast.Name))


def mentions_axes(run: Run, kind: AnnotationType, depth: int = 0) -> bool:
    """Whether a type mentions axes, itself or in the fields or methods of its class."""
    if isinstance(kind, TensorType):
        return kind.has_axes
    if isinstance(kind, InstanceOf):
        return _class_mentions_axes(run, kind.cls, depth)
    return any(mentions_axes(run, part, depth) for part in parts(kind))


def _class_mentions_axes(run: Run, cls: ClassValue, depth: int) -> bool:
    if cls.carries is UNREAD:
        found = depth < _MAX_DEPTH and (_methods_mention_axes(run, cls) or _fields_mention_axes(run, cls, depth + 1))
        if depth:  # for a class that refers to itself, the result depends on the depth
            return found
        cls.carries = found
    return cls.carries


def _fields_mention_axes(run: Run, cls: ClassValue, depth: int) -> bool:
    return any(mentions_axes(run, kind, depth) for kind in field_types(run, cls).values())


def _methods_mention_axes(run: Run, cls: ClassValue) -> bool:
    methods = (one.fields.get(name) for one in cls.mro() for name in ("forward", "__call__"))
    return any(isinstance(one, FunctionValue) and contract_of(run, one) is not None for one in methods)


def is_record(cls: ClassValue) -> bool:
    """Whether the annotated names of a class are its fields: a dataclass, a class derived from one, or a NamedTuple."""
    is_decorated = any(map(is_dataclass_decorator, cls.node.decorator_list))
    return is_decorated or bool(cls.outside() & RECORDS) or generating_class(cls) is not None


def generating_class(cls: ClassValue, after: ClassValue | None = None) -> ClassValue | None:
    """The dataclass whose generated constructor runs, if no class before it defines one.

    after: `super().__init__()` of this class calls it.
    """
    mro = cls.mro()
    for one in mro if after is None else mro[mro.index(after) + 1 :]:
        if any(
            is_dataclass_decorator(each) and "init=False" not in ast.unparse(each) for each in one.node.decorator_list
        ):
            return one
        if "__init__" in one.fields:
            return None
    return None


def is_typed_dict(cls: ClassValue) -> bool:
    """Whether the instances of a class are dicts with annotated keys."""
    return not cls.outside().isdisjoint(_TYPED_DICTS)


def is_dataclass_decorator(node: ast.expr) -> bool:
    """Whether it is `@dataclass` or `@dataclass(...)`."""
    return name_of_callee(node) == "dataclass"
