"""Metadata of values: facts attached to a value by identity, which do not affect its equality."""

from __future__ import annotations


class SideTable:
    """The metadata that rules attach during one run. It keeps its values alive, so that no id is reused."""

    __slots__ = ("_facts", "_values")

    def __init__(self) -> None:
        self._facts: dict[tuple[int, str], object] = {}
        self._values: dict[int, object] = {}

    def __bool__(self) -> bool:
        return bool(self._values)

    def __contains__(self, value: object) -> bool:
        return id(value) in self._values

    def attach(self, value: object, kind: str, fact: object) -> None:
        """Attaches a fact of one kind to a value."""
        self._values[id(value)] = value
        self._facts[id(value), kind] = fact

    def get(self, value: object, kind: str) -> object:
        """The fact of that kind; None if there is none."""
        return self._facts.get((id(value), kind)) if self._values else None
