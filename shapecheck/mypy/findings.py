"""Findings of `shapecheck check` for one file, computed only when mypy is about to report on it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mypy.options import Options

from shapecheck.mypy.import_closure import ImportClosures
from shapecheck.mypy.prefetch import Prefetch
from shapecheck.project.templates import Templates

if TYPE_CHECKING:
    from shapecheck.diagnostics import Diagnostic
    from shapecheck.static.entry.server import FindingsServer

_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


class FindingsProvider:
    """The findings of files of one project, kept as long as nothing that they depend on changes."""

    def __init__(self, options: Options, roots: Sequence[str]) -> None:
        """`roots` are the directories in which absolute imports are searched."""
        self._roots = tuple(dict.fromkeys(map(os.path.abspath, roots)))
        self._closures = ImportClosures(self._roots)
        self._shadowed = {os.path.abspath(source) for source, _ in options.shadow_file or ()}  # noqa: PTH100
        self._known: dict[tuple[str, frozenset[str]], tuple[str, list[Diagnostic]]] = {}
        self._prefetch = Prefetch(self._roots)
        self._answering: FindingsServer | None = None
        self._earlier: FindingsServer | None = None
        """The last one, whose results may still be valid."""
        self._templates = Templates()

    def refresh(self) -> None:
        """Reads the file system again from now on."""
        self._closures.refresh()
        self._earlier, self._answering = self._answering or self._earlier, None
        self._templates = Templates()

    def digest(self, path: str) -> str | None:
        """A digest of everything that the findings of the file depend on; None for other than the user's sources."""
        if not path.endswith(".py") or any(folder in path for folder in _INSTALLED):
            return None
        whole = os.path.abspath(path)  # noqa: PTH100 - called for every module of a build
        return None if whole in self._shadowed else self._closures.of(whole).digest

    def may_be_in(self, path: str) -> bool:
        """Whether the file can have findings."""
        return self.digest(path) is not None and self._closures.of(os.path.abspath(path)).has_tensors  # noqa: PTH100

    def expect(self, path: str, codes: frozenset[str]) -> None:
        """Announces a request for the findings of a file under these codes, so that another process can start."""
        self._prefetch.ask(os.path.abspath(path), codes)  # noqa: PTH100

    def of(self, path: str, codes: frozenset[str]) -> list[Diagnostic]:
        """The findings in a file, with the rules of these codes."""
        digest = self.digest(path)
        if digest is None or not self.may_be_in(path):
            return []
        known = self._known.get((path, codes))
        if known is None or known[0] != digest:
            known = self._known[path, codes] = (digest, self._find(os.path.abspath(path), codes))  # noqa: PTH100
        return self._templates.without(Path(path).absolute(), known[1])

    def _find(self, path: str, codes: frozenset[str]) -> list[Diagnostic]:
        found = self._prefetch.answer(path, codes)
        return self._find_here(path, codes) if found is None else found

    def _find_here(self, path: str, codes: frozenset[str]) -> list[Diagnostic]:
        from shapecheck.static.entry.server import FindingsServer  # noqa: PLC0415 - not needed in a warm run

        if self._answering is None:
            self._answering = FindingsServer(self._roots, self._earlier)
            self._earlier = None
        return self._answering.findings(path, codes)


def roots(options: Options, found: Sequence[str]) -> list[str]:
    """Where absolute imports are searched: the directory of pyproject.toml as for `check`, and mypy's search paths.

    These are `found`; if that is empty, the working directory, MYPYPATH and `mypy_path`.
    """
    here = Path.cwd()
    project = [folder for folder in (here, *here.parents) if os.path.isfile(folder / "pyproject.toml")][:1]  # noqa: PTH113
    from_environment = [folder for folder in os.environ.get("MYPYPATH", "").split(os.pathsep) if folder]
    return [str(here), *map(str, project), *(found or [*from_environment, *options.mypy_path])]
