"""The notes of a finding: the call stack, and where the receiver was built."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from shapecheck.diagnostics import Note
from shapecheck.static.domain.objects import Instance, Namespace
from shapecheck.static.engine.origins import BUILT, last_write
from shapecheck.static.engine.places import note_at, with_text

if TYPE_CHECKING:
    from shapecheck.static.engine.frames import Frame

_MOST_CALLS = 3
_MOST_BUILT = 2


def call_notes(frames: Sequence[Frame]) -> list[Note]:
    """The innermost calls on the stack, then the calls that built the receiver and the objects that contain it."""
    rounds = [note for frame in reversed(frames) for note in _repeated(frame)][:1]
    notes = rounds + [note for frame in reversed(frames) for note in _called(frame)][:_MOST_CALLS]
    receivers = (_receiver(frame.names) for frame in reversed(frames))
    innermost = next((one for one in receivers if one is not None), None)
    lines = {(note.path, note.line) for note in notes}
    more = [note for note in _built(innermost) if (note.path, note.line) not in lines]
    return [*notes, *more[:_MOST_BUILT]]


def _called(frame: Frame) -> Iterator[Note]:
    if frame.call is not None:
        node = frame.call.node
        builds = getattr(frame.function, "name", "") == "__init__" and not _names_constructor(node)
        yield note_at(frame.call.loaded, node, with_text(_WORDS[builds], node))


def _repeated(frame: Frame) -> Iterator[Note]:
    for one in frame.loops:
        if one.repeated is not None:
            place, number = one.repeated
            yield note_at(place.loaded, place.node, f"found in the {_ORDINALS[number]} iteration")


_ORDINALS = {2: "second", 3: "third"}
_WORDS = {False: "when called here", True: "when built here"}


def _names_constructor(node: ast.AST) -> bool:
    """Whether it is a call like `super().__init__(...)`, which builds no new object."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__"


def _receiver(names: Namespace) -> Instance | None:
    call = names.call
    first = next(iter(call.bound.values()), None) if call is not None else None
    return first if isinstance(first, Instance) else None


def _built(instance: Instance | None) -> Iterator[Note]:
    """Where an object was built with arguments, then the receiver of the method that did so, and so on."""
    for _ in range(_MOST_CALLS):
        made = None if instance is None else last_write(instance, BUILT)
        if instance is None or made is None or not isinstance(made.node, ast.Call):
            return
        names = made.around(instance)
        if made.node.args or made.node.keywords:
            yield note_at(names.loaded, made.node, with_text(_WORDS[True], made.node))
        instance = _receiver(names)
