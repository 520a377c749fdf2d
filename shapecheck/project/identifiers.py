"""In which files of a repository a name occurs, in code, strings or comments, and what their code does with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from shapecheck.project.files import find_files
from shapecheck.project.parsing import CANNOT_PARSE, parse

Item = TypeVar("Item")

_MOST_FILES = 4000
_MOST_FOLDERS = 8
"""Between a file and the root of its repository."""
_ROOTS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg")


class Identifiers:
    """The names in the Python files below a root; `content` reads a file. Files are searched once for each name."""

    def __init__(self, root: Path, content: Callable[[Path], bytes]) -> None:
        self._files = find_files([root]).files
        self._content = content
        self._found: dict[str, frozenset[Path]] = {}
        self._facts: dict[tuple[Callable[[ast.Module], Any], Path], frozenset[Any]] = {}

    @property
    def is_searchable(self) -> bool:
        """Whether there are files, but not too many to search."""
        return 0 < len(self._files) <= _MOST_FILES

    def files_with(self, name: str) -> frozenset[Path]:
        """The files in which a name occurs."""
        if name not in self._found:
            searched, pattern = name.encode(), re.compile(rf"\b{re.escape(name)}\b")
            self._found[name] = frozenset(one for one in self._files if self._has(one, searched, pattern))
        return self._found[name]

    def facts(
        self, names: Iterable[str], fact: Callable[[ast.Module], frozenset[Item]]
    ) -> Mapping[Path, frozenset[Item]]:
        """What a function finds in the files in which one of these names occurs, each of which is parsed once for it.

        Nothing is found in files that cannot be parsed.
        """
        found: dict[Path, frozenset[Item]] = {}
        for path in frozenset[Path]().union(*map(self.files_with, names)):
            if (fact, path) not in self._facts:
                self._facts[fact, path] = self._fact(path, fact)
            found[path] = self._facts[fact, path]
        return found

    def _fact(self, path: Path, fact: Callable[[ast.Module], frozenset[Item]]) -> frozenset[Item]:
        try:
            return fact(parse(self._content(path).decode(errors="replace")))
        except (OSError, *CANNOT_PARSE):
            return frozenset()

    def _has(self, path: Path, name: bytes, pattern: re.Pattern[str]) -> bool:
        try:
            content = self._content(path)
        except OSError:
            return True  # it may have it
        return name in content and pattern.search(content.decode(errors="replace")) is not None


def root_of(path: Path) -> Path:
    """The root of the repository of a file; if there is none, that of its package."""
    above = list(path.parents)[:_MOST_FOLDERS]
    for folder in above:
        if any((folder / one).exists() for one in _ROOTS):
            return folder
    packages = [one for one in above if (one / "__init__.py").exists()]
    return packages[-1] if packages else path.parent
