"""What is known of one value beside what it is: never part of its equality."""

from __future__ import annotations

from typing import Any


class Memory:
    """Facts about values, by identity, for the length of an entry: what is remembered lives as long."""

    def __init__(self) -> None:
        self._facts: dict[tuple[int, str], tuple[object, Any]] = {}

    def put(self, value: object, kind: str, fact: Any) -> None:
        """Remembers a fact of one kind about a value."""
        self._facts[id(value), kind] = (value, fact)

    def get(self, value: object, kind: str) -> Any:
        """The fact of that kind, None where there is none."""
        found = self._facts.get((id(value), kind))
        return None if found is None else found[1]
