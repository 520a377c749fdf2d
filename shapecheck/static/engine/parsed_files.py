"""Parsed files that outlive a project: an editor checks the same files after each change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.project.parsing import parse

if TYPE_CHECKING:
    import ast

    from shapecheck.static.engine.loading import SourceModule


class ParsedFiles:
    """The last parsed version of each file. Trees are not changed by a run, so that several can share them."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, SourceModule]] = {}
        self._ahead: tuple[str, ast.Module] | None = None

    def parse_ahead(self, text: str) -> None:
        """Parses source that is going to be loaded; raises what `parse` does."""
        self._ahead = text, parse(text)

    def tree(self, text: str) -> ast.Module:
        """A tree of source that is not shared."""
        ahead, self._ahead = self._ahead, None
        return parse(text) if ahead is None or ahead[0] != text else ahead[1]

    def get(self, key: str, digest: str) -> SourceModule | None:
        """The module of a file, by its real path, if its content has this digest."""
        known, loaded = self._kept.get(key, ("", None))
        return loaded if known == digest else None

    def add(self, key: str, digest: str, loaded: SourceModule) -> None:
        """Keeps a module; an earlier version of the file is dropped."""
        self._kept[key] = digest, loaded

    def drop(self, key: str) -> None:
        """Drops a file whose tree will be changed."""
        self._kept.pop(key, None)
