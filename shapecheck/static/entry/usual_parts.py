"""The objects that a constructor takes by its annotations, as their own constructors build them: for an observer alone.

A model that wraps another one, or that a configuration describes, shows its shapes with such an object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shapecheck.static.contracts.annotation_reader import read
from shapecheck.static.contracts.annotation_types import NONE, InstanceOf, UnionOf
from shapecheck.static.contracts.contract import is_record, scope_of
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.run import Run

_DEEPEST = 3

Build = Callable[[ClassValue, dict[str, Value]], Value]


def takes_parts(run: Run, cls: ClassValue) -> bool:
    """Whether the constructor of a class requires an object of a module or a data class."""
    return any(True for _ in _classes_of_parts(run, cls))


def usual_parts(run: Run, cls: ClassValue, build: Build, depth: int = _DEEPEST) -> dict[str, Value]:
    """The arguments of a constructor that are such objects; `build` makes one from those that it takes itself."""
    found: dict[str, Value] = {}
    for name, part in _classes_of_parts(run, cls) if depth else ():
        made = build(part, usual_parts(run, part, build, depth - 1))
        if isinstance(made, Instance):
            found[name] = made
    return found


def _classes_of_parts(run: Run, cls: ClassValue) -> Iterator[tuple[str, ClassValue]]:
    """The parameters of a constructor without a default that are annotated with such a class."""
    try:
        constructor = cls.lookup("__init__")
    except KeyError:
        return
    if not isinstance(constructor, FunctionValue):
        return
    scope = scope_of(run, constructor)
    for one in parameters_of(constructor.node.args):
        if one.default is None and one.node.annotation is not None:
            kind = read(scope, one.node.annotation)
            several = kind.members if isinstance(kind, UnionOf) else (kind,)
            parts = [each for each in several if each != NONE]
            part = parts[0].cls if len(parts) == 1 and isinstance(parts[0], InstanceOf) else None
            if part is not None and part is not cls and (is_module(part) or is_record(part)):
                yield one.name, part
