"""Maps an import to a file of the project, from the file system only, with every lookup cached."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from shapecheck.project.libraries import LIBRARY, Libraries
from shapecheck.project.modules import Modules, above, dotted_name

_OUTSIDE = {*sys.stdlib_module_names, "einops", "jaxtyping", "numpy", "shapecheck", "torch", "typing_extensions"}
"""Packages with a built-in meaning: a file of that name, or a checkout of their source, does not replace them."""

_SHARED = {"dist-packages", "site-packages"}
"""Directories that contain unrelated packages."""

_VENDORED = {"3rdparty", "_vendor", "csrc", "externals", "submodules", "third_party", "thirdparty", "vendor"}
"""Directories with sources of other projects: other code usually imports the installed packages."""


def is_outside(dotted: str) -> bool:
    """Whether an absolute import can never resolve to a file of a project."""
    return not dotted or dotted.partition(".")[0] in _OUTSIDE


class ImportFinder:
    """The imports of one project, as of the first lookup of each.

    `tops` are paths: absolute imports may start in those that are directories, and in `src` in them. `inner` are
    directories with files of the project: imports of a package start in the directory of its outermost package.
    `libraries` are directories with installed libraries.
    """

    def __init__(self, tops: Iterable[Path], inner: Iterable[Path], libraries: Sequence[Path] = ()) -> None:
        self.real = RealPaths()
        self.libraries = Libraries(libraries)
        self._given = _with_src(tops)
        self._modules = Modules()
        homes = [home for one in dict.fromkeys(map(str, inner)) if (home := self._modules.root(one)) != one]
        self._roots = tuple(dict.fromkeys([*self._given, *homes]))
        self._vendored = {home: top for home in self._roots if (top := _vendored_top(home)) is not None}
        self._inside = {os.path.realpath(root) for root in self._roots}
        self._by_depth = sorted(self._given, key=lambda folder: -len(Path(folder).parts))
        self._prefixes: dict[str, str] = {}
        self._insides: dict[str, tuple[str, ...]] = {}
        self._candidates: dict[tuple[str, int, str, bool], tuple[str, ...]] = {}

    def find(self, importer: str, dotted: str, level: int, is_script: bool) -> str | None:
        """The file of `import dotted`, or of `from ..dotted import x` with `level` dots, in the file `importer`.

        is_script: whether that file may be run as a script, with its directory on `sys.path`; False if there are dots.
        With the level LIBRARY it is a module of an installed library.
        """
        if level == LIBRARY:
            return self._library(importer, dotted)
        key = (os.path.dirname(importer), level, dotted, is_script)  # noqa: PTH120 - asked about every import of a project
        found = self._candidates.get(key)
        if found is None:
            found = self._candidates[key] = tuple(self._relative(*key[:3]) if level else self._absolute(*key))
        if level:
            return found[0] if found else None
        return next((path for path in found if path != importer), None)

    def _library(self, importer: str, dotted: str) -> str | None:
        """A module of a library; None if its package is one of the project."""
        found = None if is_outside(dotted) else self.libraries.find(dotted)
        if found is None or self.libraries.holds(importer):
            return found
        own = self.find(importer, dotted.partition(".")[0], 0, is_script=False)
        return found if own is None else None

    def name(self, path: Path) -> str:
        """The dotted name of a file from the innermost possible root; directories without `__init__.py` count."""
        folder = str(path.parent)
        if self.libraries.holds(folder):
            return dotted_name(path)[0]
        if folder not in self._prefixes:
            self._prefixes[folder] = self._prefix(Path(self._modules.root(folder)))
        return self._prefixes[folder] + dotted_name(path)[0]

    def _prefix(self, top: Path) -> str:
        for root in self._by_depth:
            if top.is_relative_to(root):
                parts = top.relative_to(root).parts
                return ".".join([*parts, ""]) if all(map(str.isidentifier, parts)) else ""
        return ""

    def _relative(self, folder: str, level: int, dotted: str) -> Iterator[str]:
        start = above(folder, level)
        if start is not None:
            yield from self._ours(folder, self._modules.below(start, dotted))

    def _absolute(self, folder: str, _level: int, dotted: str, is_script: bool) -> Iterator[str]:
        if is_outside(dotted):
            return
        every = dict.fromkeys((self._modules.root(folder), *self._roots))
        homes = [home for home in every if self._may_hold(home, dotted, folder, is_script)]
        for home in dict.fromkeys([*homes, *([folder] if is_script else [])]):
            yield from self._ours(folder, self._modules.below(home, dotted))

    def _may_hold(self, home: str, dotted: str, folder: str, is_script: bool) -> bool:
        """The neighbors of an installed package are not the project's; a package is on `sys.path` only for scripts."""
        if home in self._given:
            return is_script or self._modules.root(home) == home
        vendored = self._vendored.get(home)
        if vendored is not None and not (folder + os.sep).startswith(vendored + os.sep):
            return False
        top = Path(home, dotted.partition(".")[0])
        return Path(home).name not in _SHARED or Path(folder).is_relative_to(top)

    def _ours(self, folder: str, path: str | None) -> Iterator[str]:
        """The path, if its real path is in the project: a link may point outside."""
        if path is not None and self.real[path].startswith(self._tops(folder)):
            yield path

    def _tops(self, folder: str) -> tuple[str, ...]:
        """The directories, with a separator at the end, that may contain what a file in this directory imports."""
        own = self._modules.root(folder)
        if own not in self._insides:
            tops = (*self._inside, self.real[own])
            self._insides[own] = tuple(top.rstrip(os.sep) + os.sep for top in tops)
        return self._insides[own]


class RealPaths(dict[str, str]):
    """The real paths, with links resolved; that of a directory is cached for all files in it."""

    def __missing__(self, path: str) -> str:
        folder, name = os.path.split(path)
        if os.path.islink(path) or not name or name in (".", ".."):  # noqa: PTH114 - asked about every import of a project
            self[path] = os.path.realpath(path)
        else:
            self[path] = os.path.join(self[folder], name)  # noqa: PTH118
        return self[path]


def _with_src(tops: Iterable[Path]) -> tuple[str, ...]:
    homes = [home for one in tops if os.path.isdir(one) for home in (one, one / "src")]  # noqa: PTH112 - Path's may raise
    return tuple(dict.fromkeys(str(home) for home in homes if os.path.isdir(home)))  # noqa: PTH112


def _vendored_top(home: str) -> str | None:
    """The innermost directory of vendored sources that holds a home; None if there is none."""
    parts = Path(home).parts
    last = max((at for at, part in enumerate(parts) if part in _VENDORED), default=None)
    return None if last is None else str(Path(*parts[: last + 1]))
