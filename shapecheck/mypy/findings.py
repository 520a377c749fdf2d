"""What `shapecheck check` finds in a file, run only where mypy is about to report on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mypy.options import Options

from shapecheck.mypy.reach import Reach

if TYPE_CHECKING:
    from shapecheck.diagnostics import Diagnostic
    from shapecheck.static.entry import Checker

_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_DEPTH = 1000
"""Python's own limit on recursion: mypy sets sixteen times that, which the stack may not bear, and `check` has not."""


class Findings:
    """The findings of files of one project, kept as long as nothing that they depend on changes."""

    def __init__(self, options: Options) -> None:
        self._roots = _roots(options)
        self._reach = Reach(self._roots)
        self._shadowed = {os.path.abspath(source) for source, _ in options.shadow_file or ()}  # noqa: PTH100
        self._known: dict[str, tuple[str, list[Diagnostic]]] = {}
        self._chosen: dict[str, frozenset[str]] = {}
        self._checker: Checker | None = None

    def refresh(self) -> None:
        """Looks at the file system again from now on."""
        self._reach.refresh()
        self._checker = None

    def digest(self, path: str) -> str | None:
        """A digest of all that the findings of the file depend on; None for what is not the user's own source."""
        if not path.endswith(".py") or any(folder in path for folder in _INSTALLED):
            return None
        whole = os.path.abspath(path)  # noqa: PTH100 - called for every module of a build
        return None if whole in self._shadowed else self._reach.of(whole).digest

    def may_be_in(self, path: str) -> bool:
        """Whether anything can be found in the file at all."""
        return self.digest(path) is not None and self._reach.of(os.path.abspath(path)).has_tensors  # noqa: PTH100

    def of(self, path: str) -> list[Diagnostic]:
        """The findings in a file."""
        digest = self.digest(path)
        if digest is None or not self.may_be_in(path):
            return []
        known = self._known.get(path)
        if known is None or known[0] != digest:
            known = self._known[path] = (digest, self._find(Path(path).absolute()))
        return known[1]

    def _find(self, path: Path) -> list[Diagnostic]:
        from shapecheck.project.files import display_path  # noqa: PLC0415 - what follows is not needed in a warm run
        from shapecheck.project.outcomes import merged  # noqa: PLC0415
        from shapecheck.project.silencing import without_silenced  # noqa: PLC0415
        from shapecheck.static.entry import Checker  # noqa: PLC0415

        if self._checker is None:
            self._checker = Checker((), self._roots)
        with _recursion_limit(_DEPTH):
            found = self._checker.findings(path, {display_path(path)})
        there = {one: origin for one in found if (origin := _origin(one)) is not None}
        heard = set(without_silenced(there.values()))
        told = [one for one in found if one not in there or there[one] in heard]
        return without_silenced(sorted(merged([(path, told)])))


def _origin(one: Diagnostic) -> Diagnostic | None:
    """The finding where it happens, if that is in another file: a comment there silences it too."""
    if not one.notes or one.notes[0].path == one.path:
        return None
    note = one.notes[0]
    return replace(one, path=note.path, line=note.line, end_line=note.line)


def _roots(options: Options) -> Sequence[Path]:
    """Where mypy starts to look for absolute imports: the working folder, MYPYPATH and `mypy_path`."""
    from_environment = [folder for folder in os.environ.get("MYPYPATH", "").split(os.pathsep) if folder]
    folders = [Path.cwd(), *map(Path, [*from_environment, *options.mypy_path])]
    return list(dict.fromkeys(folder.absolute() for folder in folders))


@contextmanager
def _recursion_limit(limit: int) -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(min(before, limit))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
