"""Events by line of the program: copies, synchronizations, broadcasts, promotions."""

from __future__ import annotations

from collections.abc import Callable

from shapecheck.harness.probe.tree import Node
from shapecheck.harness.results import LineRecord
from shapecheck.runtime.guards.places import SourceLocation

_Key = tuple[SourceLocation, str, str]
"""The line, the kind and the operator."""


class Line:
    """One kind of event at one line; `node` is that of the first time."""

    __slots__ = ("count", "moved_bytes", "node")

    def __init__(self, node: Node) -> None:
        self.node, self.count, self.moved_bytes = node, 0, 0


class Lines:
    """The lines so far, in order of their first event."""

    def __init__(self) -> None:
        self._found: dict[_Key, Line] = {}

    def add(self, kind: str, operator: str, moved_bytes: int, node: Node, place: SourceLocation) -> None:
        """Counts an event at a line of the program."""
        if kind == "sync" and _is_of_the_cpu(place):
            return
        key = (place, kind, operator)
        line = self._found.get(key)
        if line is None:
            line = self._found[key] = Line(node)
        line.count += 1
        line.moved_bytes += moved_bytes

    def records(self, path_of: Callable[[Node], str]) -> tuple[LineRecord, ...]:
        """By file and line; path_of: the module path of a node."""
        found = [
            LineRecord(*place, kind, operator, line.count, line.moved_bytes, path_of(line.node), place.text.strip())
            for (place, kind, operator), line in self._found.items()
        ]
        return tuple(sorted(found, key=lambda one: (one.path, one.line)))


def _is_of_the_cpu(place: SourceLocation) -> bool:
    """Whether the line calls a function that reads values on a CPU, but on no other device."""
    return "one_hot(" in place.text
