"""The running module and its weights, for several rules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Sequence

from shapecheck.diagnostics import Note
from shapecheck.ops import ModuleSpec
from shapecheck.spec import Size, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import SUMMARY, ClassValue, Instance, ModuleContainer
from shapecheck.static.domain.summary_collections import is_summary
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run


def owner(frame: Frame) -> ClassValue | None:
    """The module class whose method a frame runs, None if it runs no such method."""
    cls = frame.names.fields.get("__class__")
    return cls if isinstance(cls, ClassValue) and is_module(cls) else None


def forward_frame(run: Run) -> Frame | None:
    """The innermost frame of a module's forward, None if there is none."""
    for frame in run.outward():
        if getattr(frame.function, "name", "") == "forward" and owner(frame) is not None:
            return frame
    return None


def report_at(
    run: Run, place: Place, node: ast.AST, code: str, message: str, why: Callable[[], Sequence[Note]] | None = None
) -> None:
    """Reports at the place if it is in the file that is running, else at the node."""
    run.report(code, place.node if place.loaded is run.loaded else node, message, why)


def has_weights(value: Value) -> bool:
    """Whether a layer, or a layer inside it, has weights."""
    return next(weights_of(value), None) is not None


def weights_of(value: Value) -> Iterator[TensorSpec]:
    """The weights of a layer, and of the layers inside it."""
    waiting, seen = [value], {id(value)}
    while waiting:
        one = waiting.pop()
        if isinstance(one, ModuleSpec):
            yield from (part for part in vars(one).values() if isinstance(part, TensorSpec))
        fresh = [part for part in _parts(one) if id(part) not in seen]
        seen.update(map(id, fresh))
        waiting += fresh


def _parts(value: Value) -> Collection[Value]:
    if isinstance(value, ModuleSpec):
        return vars(value).values()
    if isinstance(value, ModuleContainer):
        return _layers(value)
    return value.fields.values() if isinstance(value, Instance) else ()


def _layers(value: ModuleContainer) -> Collection[Value]:
    if is_summary(value):
        return (value.fields[SUMMARY],)
    return () if value.lost else value.items.values()


def _running_modules(run: Run) -> Iterator[Value]:
    """The modules whose methods are running, the innermost one first."""
    for frame in run.outward():
        if owner(frame) is not None:
            yield next(iter(frame.names.fields.values()), None)


def running_weights(run: Run) -> Iterator[TensorSpec]:
    """The weights of the layers of the modules whose methods are running."""
    return (weight for module in _running_modules(run) for weight in weights_of(module))


def widths(run: Run) -> Iterator[Size]:
    """The sizes of the weights of the modules whose methods are running."""
    return (size for weight in running_weights(run) for size in weight.shape.head)
