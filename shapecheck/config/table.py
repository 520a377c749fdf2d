"""One table of the configuration as it was written, and the errors about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from shapecheck.config.values import InvalidValue, ValueType


class ConfigError(Exception):
    """The configuration cannot be used. The message is one line for the user: file, key, what is allowed."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it was written, and where."""

    file: Path
    name: str
    values: object

    def take(self, kinds: Mapping[str, ValueType]) -> dict[str, Any]:
        """The values, checked, under the names of our fields; raise ConfigError at the first wrong one."""
        return {key.replace("-", "_"): self.value(key, value, kinds) for key, value in self.rows()}

    def rows(self) -> Iterable[tuple[str, object]]:
        """The keys and values as they were written; raise ConfigError where it is no table."""
        if not isinstance(self.values, dict):
            raise ConfigError(f"{self.file}: {self.name} must be a table")
        return self.values.items()

    def value(self, key: str, value: object, kinds: Mapping[str, ValueType]) -> Any:
        """One value, checked; raise ConfigError where the key is not known or the value is wrong."""
        kind = kinds.get(key)
        if kind is None:
            raise ConfigError(f"{self.file}: {self.name} has no key {key!r}; {_hint(key, kinds)}")
        try:
            return kind.convert(value)
        except InvalidValue:
            raise ConfigError(f"{self.file}: {self.name}.{key} must be {kind.words}, not {value!r}") from None


def _hint(key: str, kinds: Iterable[str]) -> str:
    near = get_close_matches(key, kinds, 1)
    return (f"did you mean {near[0]!r}? " if near else "") + "allowed: " + ", ".join(kinds)
