"""Objects of which only the class is known: their fields are what the class annotates them with."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.callee import name_of_callee
from shapecheck.static.contracts.kinds import ANYTHING, Kind, Made, Tensor, parts
from shapecheck.static.contracts.names import Scope
from shapecheck.static.contracts.promising import Promise, promised
from shapecheck.static.contracts.reading import read
from shapecheck.static.machine import Machine
from shapecheck.static.values import UNREAD, ClassValue, DictValue, FunctionValue, Instance, StandIn, Value

NAMES = "(names)"
"""The field under which an object keeps what the axes in its class's annotations stand for."""

_DEEPEST = 3
_RECORDS = frozenset(("typing.NamedTuple", "typing_extensions.NamedTuple"))
_DICTS = frozenset(("typing.TypedDict", "typing_extensions.TypedDict"))


def kinds_of(machine: Machine, cls: ClassValue) -> dict[str, Kind]:
    """The types of the annotated names of a class and its bases, bases first."""
    if cls.kinds is UNREAD:
        cls.kinds = {}
        for one in reversed(cls.mro()):
            scope = Scope(machine, one.closure, one)
            for statement in one.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    cls.kinds[statement.target.id] = read(scope, statement.annotation)
    return cls.kinds  # type: ignore[no-any-return]


def carries(machine: Machine, kind: Kind, depth: int = 0) -> bool:
    """Whether a type says something about axes, itself or by the fields or methods of its class."""
    if isinstance(kind, Tensor):
        return kind.has_axes
    if isinstance(kind, Made):
        return _class_carries(machine, kind.cls, depth)
    return any(carries(machine, part, depth) for part in parts(kind))


def _class_carries(machine: Machine, cls: ClassValue, depth: int) -> bool:
    if cls.carries is UNREAD:
        found = depth < _DEEPEST and (_methods_carry(machine, cls) or _fields_carry(machine, cls, depth + 1))
        if depth:  # a class that names itself asks for this again
            return found
        cls.carries = found
    return cls.carries  # type: ignore[no-any-return]


def _fields_carry(machine: Machine, cls: ClassValue, depth: int) -> bool:
    return any(carries(machine, kind, depth) for kind in kinds_of(machine, cls).values())


def _methods_carry(machine: Machine, cls: ClassValue) -> bool:
    from shapecheck.static.contracts.contract import contract_of  # noqa: PLC0415 - contracts name classes

    methods = (one.fields.get(name) for one in cls.mro() for name in ("forward", "__call__"))
    return any(isinstance(one, FunctionValue) and contract_of(machine, one) is not None for one in methods)


def is_record(cls: ClassValue) -> bool:
    """Whether its annotated names are its fields: a dataclass, a NamedTuple."""
    return bool(cls.outside() & _RECORDS) or any(map(is_dataclass_decorator, cls.node.decorator_list))


def is_dataclass_decorator(node: ast.expr) -> bool:
    """Whether it is `@dataclass` or `@dataclass(...)`."""
    return name_of_callee(node) == "dataclass"


def stand_in(machine: Machine, cls: ClassValue, scope: str) -> Value:
    """Some object of a class; Unknown where its annotations tell nothing."""
    promise = Promise(scope)
    if cls.outside() & _DICTS:
        return DictValue(_fields(machine, cls, promise))
    if cls.outside() & _RECORDS:
        made = StandIn(cls, promise)
        made.fields.update(_fields(machine, cls, promise))
        return made
    if not is_record(cls) and not carries(machine, Made(cls)):
        return Unknown(f"some {cls.node.name}")
    return StandIn(cls, promise)


def _fields(machine: Machine, cls: ClassValue, promise: Promise) -> dict[str, Value]:
    """All fields at once; objects in them may hold others of the same class, and are left out."""
    kinds = {name: ANYTHING if isinstance(kind, Made) else kind for name, kind in kinds_of(machine, cls).items()}
    return {name: promised(machine, kind, promise, name) for name, kind in kinds.items()}


def declared(machine: Machine, value: Instance, name: str, known: Unknown) -> Value:
    """What the class annotates a field with that is not known otherwise."""
    kind = kinds_of(machine, value.cls).get(name, ANYTHING)
    if kind is ANYTHING or not (isinstance(value, StandIn) or carries(machine, kind)):
        return known
    promise = value.promise if isinstance(value, StandIn) else value.fields.setdefault(NAMES, Promise())
    found = promised(machine, kind, promise, name)
    machine.journal.write(value, name, found)
    return found
