"""Finds the Python files that a command processes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from shapecheck.project.ignore import Chain, is_excluded, rules_above, rules_from_file
from shapecheck.project.source import reason
from shapecheck.project.write import is_leftover

_OF_TOOLS = frozenset(
    """
    .bzr .git .hg .svn .hypothesis .ipynb_checkpoints .mypy_cache .pytest_cache .pytype .ruff_cache .shapecheck_cache
    __pycache__
    """.split()
)
"""Names of directories that tools create; they are not reported as excluded."""

DEFAULT_EXCLUDES = _OF_TOOLS | frozenset(
    ".direnv .eggs .nox .tox .venv __pypackages__ node_modules site-packages venv _build buck-out build dist".split()
)
"""Names of directories that contain no source of the project."""

BY_DEFAULT = "excluded by default"
BY_PATTERN = "excluded by pattern"
BY_GIT = "ignored by git"
LINK = "symbolic links are not followed"


class PathProblem(NamedTuple):
    """A path that cannot be read, and the reason."""

    path: Path
    message: str


@dataclass(slots=True)
class FileSearch:
    """The result of a search. The paths are absolute; those of one directory are sorted."""

    files: list[Path] = field(default_factory=list)
    problems: list[PathProblem] = field(default_factory=list)
    excluded: Counter[str] = field(default_factory=Counter)
    """The number of excluded Python files and directories, by reason, without the directories that tools create."""
    leftovers: list[Path] = field(default_factory=list)
    """Temporary files of runs that were killed while writing."""


PYTHON = (".py",)
"""The suffixes of source files."""
WITH_NOTEBOOKS = (*PYTHON, ".ipynb")


def find_files(
    paths: Iterable[Path],
    exclude: Chain = (),
    respect_gitignore: bool = True,
    suffixes: tuple[str, ...] = PYTHON,
) -> FileSearch:
    """Find the files with one of these suffixes at and below `paths`.

    Files and directories in `paths` are never excluded. Symbolic links below them are not followed: their target is
    found at its real path, or is not below `paths`.
    """
    search = _Search(exclude, respect_gitignore, suffixes)
    for path in paths:
        search.take(absolute(path))
    return search.found


def absolute(path: Path) -> Path:
    """The absolute path, as it was given, including links."""
    # `link/../x` is not `x`, so only the file system can resolve a path with dots.
    return Path(os.path.realpath(path)) if ".." in path.parts else path.absolute()


def display_path(path: Path) -> str:
    """The path as messages show it: relative to the working directory if it is below it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


class _Search:
    def __init__(self, exclude: Chain, respect_gitignore: bool, suffixes: tuple[str, ...]) -> None:
        self._suffixes = suffixes
        self.found = FileSearch()
        self._exclude = exclude
        self._git = respect_gitignore
        self._seen: set[str] = set()

    def take(self, path: Path) -> None:
        """Add a path that the user named."""
        real = os.path.realpath(path)
        # os.path, because Path's methods raise if a directory above cannot be entered
        if os.path.isdir(path):  # noqa: PTH112
            self._take_folder(path, real)
        elif os.path.isfile(path):  # noqa: PTH113
            self._add(str(path), real)
        else:
            self.found.problems.append(PathProblem(path, _why_not(path)))

    def _take_folder(self, path: Path, real: str) -> None:
        # Rules that exclude the directory itself would exclude everything in it.
        exclude = () if _covers(self._exclude, path) else self._exclude
        git = rules_above(path) if self._git else ()
        self._walk(str(path), real, exclude, () if _covers(git, path) else git, named=True)

    def _add(self, path: str, real: str) -> None:
        if real not in self._seen:
            self._seen.add(real)
            self.found.files.append(Path(path))

    def _walk(self, folder: str, real: str, exclude: Chain, git: Chain, named: bool = False) -> None:
        if real in self._seen:
            return
        self._seen.add(real)
        try:
            with os.scandir(folder) as entries:
                listing = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.found.problems.append(PathProblem(Path(folder), f"cannot read: {reason(error)}"))
            return
        names = {entry.name for entry in listing}
        if "pyvenv.cfg" in names and not named:
            self.found.excluded[BY_DEFAULT] += 1
            return
        if self._git and ".gitignore" in names:
            git += rules_from_file(folder, f"{folder}{os.sep}.gitignore")
        for entry in listing:
            self._visit(entry, real, exclude, git)

    def _visit(self, entry: os.DirEntry[str], folder: str, exclude: Chain, git: Chain) -> None:
        if is_leftover(entry.name):
            self.found.leftovers.append(Path(entry.path))
            return
        is_folder = entry.is_dir()
        if not is_folder and not entry.name.endswith(self._suffixes):
            return
        if is_folder and entry.name in _OF_TOOLS:
            return
        why = _exclusion(entry, is_folder, exclude, git)
        real = f"{folder}{os.sep}{entry.name}"
        if why:
            self.found.excluded[why] += 1
        elif is_folder:
            self._walk(entry.path, real, exclude, git)
        elif entry.is_file():
            self._add(entry.path, real)


def _exclusion(entry: os.DirEntry[str], is_folder: bool, exclude: Chain, git: Chain) -> str:
    """Why an entry is excluded; empty if it is not."""
    if is_folder and entry.name in DEFAULT_EXCLUDES:
        return BY_DEFAULT
    if is_excluded(exclude, entry.path, is_folder):
        return BY_PATTERN
    if is_excluded(git, entry.path, is_folder):
        return BY_GIT
    return LINK if entry.is_symlink() else ""


def _covers(chain: Chain, folder: Path) -> bool:
    """Whether the rules exclude a directory or one above it."""
    return any(is_excluded(chain, str(path), is_folder=True) for path in (folder, *folder.parents))


def _why_not(path: Path) -> str:
    try:
        path.stat()
    except FileNotFoundError:
        return "no such file or directory"
    except OSError as error:
        return f"cannot read: {reason(error)}"
    return "expected a file or directory"
