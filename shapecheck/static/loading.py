"""The files that are checked and the modules they import, each parsed once; nothing outside the project."""

from __future__ import annotations

import ast
import gc
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck.diagnostics import Diagnostic
from shapecheck.project.files import absolute, display_path, find_files
from shapecheck.project.ignore import Chain
from shapecheck.project.modules import ancestor, dotted_name, in_folder, package_root
from shapecheck.project.parsing import CANNOT_PARSE, parse, syntax_error, unreadable_file, unreadable_path
from shapecheck.project.source import SourceError, SourceFile

_OUTSIDE = {*sys.stdlib_module_names, "einops", "jaxtyping", "numpy", "shapecheck", "torch", "typing_extensions"}
"""Packages whose meaning is built in: a file of that name, or a checkout of their source, does not stand for them."""

_SHARED = {"dist-packages", "site-packages"}
"""Folders where packages that have nothing to do with one another lie side by side."""


@dataclass(eq=False, slots=True)
class Loaded:
    """A parsed module: its file, its dotted name as importers would call it, and its tree."""

    path: Path
    name: str
    tree: ast.Module
    text: str
    is_package: bool
    source: SourceFile = field(init=False, repr=False)
    """The same text, for lines and for columns in code points."""
    yields: bool = field(init=False, repr=False)
    """Whether a generator may be among its functions."""

    def __post_init__(self) -> None:
        self.source = SourceFile(self.path, self.text, display=display_path(self.path))
        self.yields = "yield" in self.text


class Project:
    """The files at and below `paths`, and what they import of one another and of their neighbours.

    `roots` are further folders where absolute imports may start, such as that of pyproject.toml.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        exclude: Chain = (),
        respect_gitignore: bool = True,
        roots: Sequence[Path] = (),
    ) -> None:
        self.found = find_files(paths, exclude, respect_gitignore)
        self.files: list[Path] = self.found.files
        """The files that were asked for."""
        self.problems: list[Diagnostic] = [
            unreadable_path(display_path(problem.path), problem.message) for problem in self.found.problems
        ]
        """What could not be read or parsed of what was asked for; a file that is only imported is not reported."""
        self._asked = {os.path.realpath(path): path for path in self.files}
        folders = _folders(paths)
        self._given = _with_src([*folders, *_folders(roots)])
        homes = _package_homes([*folders, *(path.parent for path in self.files)])
        self._roots = tuple(dict.fromkeys([*self._given, *homes]))
        self._inside = {os.path.realpath(root) for root in self._roots}
        self._loaded: dict[str, Loaded | None] = {}
        self._resolved: dict[tuple[str, Path], Path | None] = {}
        self._scripts: dict[Path, bool] = {}

    def load(self, path: Path) -> Loaded | None:
        """The module in a file, parsed the first time it is asked for; None where it cannot be read or parsed."""
        key = os.path.realpath(path)
        if key not in self._loaded:
            loaded = self._read(self._asked.get(key) or absolute(path))
            self._loaded[key] = loaded if isinstance(loaded, Loaded) else None
            if isinstance(loaded, Diagnostic) and key in self._asked:
                self.problems.append(loaded)
        return self._loaded[key]

    def resolve(self, dotted: str, importer: Loaded, level: int = 0) -> Loaded | None:
        """The module that `import dotted`, or `from ..dotted import x` with `level` dots, means in a file.

        None for what lies outside the project, does not parse, or is a folder without `__init__.py`: its modules
        resolve by their full names.
        """
        if level:
            path = self._relative(dotted, importer, level)
        elif not dotted or dotted.partition(".")[0] in _OUTSIDE:
            return None
        else:
            path = self._absolute(dotted, importer)
        return self.load(path) if path else None

    def _read(self, path: Path) -> Loaded | Diagnostic:
        display = display_path(path)
        try:
            text = SourceFile.from_bytes(path.read_bytes(), path).text
        except (OSError, SourceError) as error:
            return unreadable_file(display, error)
        try:
            tree = parse(text)
        except CANNOT_PARSE as error:
            return syntax_error(display, error)
        _set_aside()
        return Loaded(path, self._name(path), tree, text, path.name == "__init__.py")

    def _name(self, path: Path) -> str:
        """From the innermost root where that makes a name, so that folders without `__init__.py` count."""
        top = package_root(path.parent)
        for root in sorted(self._given, key=lambda folder: -len(folder.parts)):
            if top.is_relative_to(root):
                parts = top.relative_to(root).parts
                name = ".".join([*parts, dotted_name(path)[0]])
                return name if all(map(str.isidentifier, parts)) else dotted_name(path)[0]
        return dotted_name(path)[0]

    # -- from names to files

    def _relative(self, dotted: str, importer: Loaded, level: int) -> Path | None:
        if level > len(importer.path.parents):
            return None
        return self._ours(in_folder(ancestor(importer.path, level), dotted), importer)

    def _absolute(self, dotted: str, importer: Loaded) -> Path | None:
        folder = importer.path.parent
        key = (dotted, importer.path)
        if key not in self._resolved:
            homes = [home for home in self._homes(folder) if self._may_hold(home, dotted, importer)]
            if self._is_script(importer):
                homes.append(folder)
            found = (self._ours(in_folder(home, dotted), importer) for home in dict.fromkeys(homes))
            self._resolved[key] = next((path for path in found if path and path != importer.path), None)
        return self._resolved[key]

    def _homes(self, folder: Path) -> Iterator[Path]:
        yield package_root(folder)
        yield from self._roots

    def _may_hold(self, home: Path, dotted: str, importer: Loaded) -> bool:
        """Beside an installed package lie others, not the project's; a package is on `sys.path` for scripts only."""
        if home in self._given:
            return package_root(home) == home or self._is_script(importer)
        return home.name not in _SHARED or importer.path.is_relative_to(home / dotted.partition(".")[0])

    def _is_script(self, importer: Loaded) -> bool:
        """Whether a file may be run as it lies, its folder on `sys.path`: not one with relative imports."""
        if importer.path not in self._scripts:
            relative = any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(importer.tree))
            self._scripts[importer.path] = not importer.is_package and not relative
        return self._scripts[importer.path]

    def _ours(self, path: Path | None, importer: Loaded) -> Path | None:
        """The path, if the file really lies in the project: a link may lead out of it."""
        if path is None:
            return None
        real = Path(os.path.realpath(path))
        tops = (*self._inside, os.path.realpath(package_root(importer.path.parent)))
        return path if any(real.is_relative_to(top) for top in tops) else None


def _set_aside() -> None:
    """Has the collector of garbage take what is there for old, so that it does not look through a new tree in vain.

    Trees are kept as long as the project, and going through them takes a good part of the time of parsing them.
    """
    if not gc.get_freeze_count():  # else somebody else's frozen objects would thaw
        gc.freeze()
        gc.unfreeze()


def _folders(paths: Iterable[Path]) -> list[Path]:
    # os.path, because Path's own raise where a folder on the way may not be entered
    return [absolute(path) for path in paths if os.path.isdir(path)]  # noqa: PTH112


def _with_src(folders: Iterable[Path]) -> tuple[Path, ...]:
    """The folders, and `src` in them: where the absolute imports of a project may start."""
    homes = [home for folder in folders for home in (folder, folder / "src")]
    return tuple(dict.fromkeys(home for home in homes if os.path.isdir(home)))  # noqa: PTH112


def _package_homes(folders: Iterable[Path]) -> Iterator[Path]:
    """The folders that hold the packages which these folders are, or lie in."""
    for folder in dict.fromkeys(folders):
        home = package_root(folder)
        if home != folder:
            yield home
