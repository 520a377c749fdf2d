"""What several rules ask about the place where a run is."""

from __future__ import annotations

import ast

from shapecheck.ops import ModuleSpec
from shapecheck.spec import TensorSpec
from shapecheck.static.classes import is_module
from shapecheck.static.machine import Frame, Machine, Place
from shapecheck.static.values import ClassValue, Container, Instance, Value


def owner(frame: Frame) -> ClassValue | None:
    """The module class whose method a frame runs, None where it runs no such method."""
    cls = frame.names.fields.get("__class__")
    return cls if isinstance(cls, ClassValue) and is_module(cls) else None


def forward_frame(machine: Machine) -> Frame | None:
    """The innermost forward of a module that is being run."""
    for frame in reversed(machine.frames):
        if getattr(frame.function, "name", "") == "forward" and owner(frame) is not None:
            return frame
    return None


def report_at(machine: Machine, place: Place, node: ast.AST, code: str, message: str) -> None:
    """Reports where something began if that is in the file that is being run, else where it matters."""
    machine.report(code, place.node if place.loaded is machine.loaded else node, message)


def has_weights(value: Value, depth: int = 0) -> bool:
    """Whether a layer, or one in it, has weights."""
    if depth > 6:
        return False
    if isinstance(value, ModuleSpec):
        return any(isinstance(one, TensorSpec) or has_weights(one, depth + 1) for one in vars(value).values())
    if isinstance(value, Container):
        return not value.lost and any(has_weights(one, depth + 1) for one in value.items.values())
    if isinstance(value, Instance):
        return any(has_weights(one, depth + 1) for one in value.fields.values())
    return False
