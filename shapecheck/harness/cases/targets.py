"""Targets of the command line: files, directories, modules, packages, or one class in them. Imports none of them."""

from __future__ import annotations

import importlib.machinery
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from shapecheck.harness.cases.libraries.table import all_libraries, location
from shapecheck.harness.cases.model import Target
from shapecheck.project.files import DEFAULT_EXCLUDES, absolute, display_path, find_files
from shapecheck.project.ignore import Chain
from shapecheck.project.modules import dotted_name, in_folder, package_root
from shapecheck.spec.presentation import quoted

_ONE_CLASS = re.compile(r"(?P<where>.+?):(?P<only>[^\W\d]\w*)(?:\[(?P<label>[^\]]*)\])?")
_LABELED = re.compile(r"(?P<only>[^\[]+)\[(?P<label>[^\]]+)\]")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_MARKS = (b"def forward", b"shapecheck")
"""A file of a directory is imported only if it contains one of them: others are scripts, or define no models."""
_RELATIVE = re.compile(rb"^[ \t]*from[ \t]+\.", re.MULTILINE)


class TargetError(Exception):
    """A target cannot be found; the message is one line."""


@dataclass(frozen=True)
class Search:
    """How directories are searched. exclude: patterns of the configuration and the command line."""

    exclude: Chain = ()
    respect_gitignore: bool = True


def find_targets(named: Iterable[str], search: Search) -> list[Target]:
    """The files with models that the arguments name, each once. Raises TargetError for one that does not exist."""
    found: dict[tuple[Path, str, str], Target] = {}
    for text in named:
        for target in _targets(text, search):
            found.setdefault((target.file, target.only, target.label), target)
    whole = {file for file, only, _ in found if not only}
    return [target for target in found.values() if not target.only or target.file not in whole]


def _targets(text: str, search: Search) -> list[Target]:
    prefix, _, name = text.partition(":")
    if name and prefix in all_libraries():
        return [_of_library(prefix, name)]
    if os.path.exists(text):  # noqa: PTH110 - Path.exists raises if a directory of the path is not accessible
        return _of_path(absolute(Path(text)), search)
    split = _ONE_CLASS.fullmatch(text)
    if split is None:
        return _somewhere(text, search)
    return [replace(_one_file(text, split["where"], search), only=split["only"], label=split["label"] or "")]


def _of_library(prefix: str, name: str) -> Target:
    library = all_libraries()[prefix]
    file = location(library)
    if file is None:
        raise TargetError(f"{prefix}:{name}: the package {library.package} is not installed; use `{library.install}`")
    found = _LABELED.fullmatch(name)
    only, label = (found["only"], found["label"]) if found else (name, "")
    return Target(file, prefix, file.parent.parent, only, label, library=prefix)


def _one_file(text: str, where: str, search: Search) -> Target:
    if os.path.isdir(where):  # noqa: PTH112
        raise TargetError(f"{text}: {where} is a directory; name the file or module of the class")
    if os.path.exists(where):  # noqa: PTH110
        return _of_path(absolute(Path(where)), search)[0]
    for root in _roots(where) if _is_dotted(where) else ():
        file = in_folder(root, where)
        if file is not None:
            return Target(file, where, root)
    return _somewhere(where, search)[0]


def _somewhere(text: str, search: Search) -> list[Target]:
    if not _is_dotted(text):
        raise TargetError(f"{text}: no such file or directory{_near_path(text)}")
    return _of_name(text, search)


def _is_dotted(text: str) -> bool:
    return _DOTTED.fullmatch(text) is not None and not text.endswith(".py")


def _of_path(path: Path, search: Search) -> list[Target]:
    found = find_files([path], search.exclude, search.respect_gitignore)
    if found.problems:
        problem = found.problems[0]
        raise TargetError(f"{display_path(problem.path)}: {problem.message}")
    if path.is_dir():
        return [_of_file(file) for file in found.files if _may_hold_models(file)]
    if path.suffix != ".py":
        raise TargetError(f"{display_path(path)}: not a Python file")
    return [_of_file(path)]


def _of_file(file: Path) -> Target:
    name, is_package = dotted_name(file)
    if is_package or "." in name:
        return Target(file, name, package_root(file.parent))
    return _in_namespace(file) or Target(file, file.stem, file.parent)


def _in_namespace(file: Path) -> Target | None:
    """A file with relative imports outside packages: its directories below the working directory become packages."""
    try:
        content = file.read_bytes()
        parts = file.relative_to(Path.cwd()).with_suffix("").parts
    except (OSError, ValueError):
        return None
    if len(parts) == 1 or not _RELATIVE.search(content) or not all(map(str.isidentifier, parts)):
        return None
    return Target(file, ".".join(parts), Path.cwd())


def _may_hold_models(file: Path) -> bool:
    try:
        content = file.read_bytes()
    except OSError:
        return True  # its import reports why it cannot be read
    return any(mark in content for mark in _MARKS)


def _of_name(dotted: str, search: Search) -> list[Target]:
    for root in _roots(dotted):
        file = in_folder(root, dotted)
        if file is not None and file.name != "__init__.py":
            return [Target(file, dotted, root)]
        folder = root.joinpath(*dotted.split("."))
        if file is not None or folder.is_dir():
            return [_below(root, one) for one in _modules(folder, search)]
    raise TargetError(f"{dotted}: no such module, file or directory{_near_name(dotted)}")


def _modules(folder: Path, search: Search) -> Iterator[Path]:
    found = find_files([folder], search.exclude, search.respect_gitignore)
    return (file for file in found.files if _may_hold_models(file))


def _below(root: Path, file: Path) -> Target:
    parts = file.relative_to(root).with_suffix("").parts
    return Target(file, ".".join(parts[:-1] if parts[-1] == "__init__" else parts), root)


def _roots(dotted: str) -> Iterator[Path]:
    """The directories in which a dotted name may be found, the working directory first."""
    yield from _folders()
    spec = importlib.machinery.PathFinder.find_spec(dotted.partition(".")[0])
    for finder in sys.meta_path:  # editable installs register their own finders
        if spec is None and finder is not importlib.machinery.PathFinder:
            spec = finder.find_spec(dotted.partition(".")[0], None)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        yield Path(place).parent


def _folders() -> list[Path]:
    listed = [Path.cwd(), Path.cwd() / "src", *(Path(entry) for entry in sys.path if entry)]
    return [folder for folder in dict.fromkeys(listed) if folder.is_dir()]


def _near_path(text: str) -> str:
    path = Path(text)
    near = get_close_matches(path.name, _entries(path.parent), 1)
    return f"; did you mean {quoted(str(path.with_name(near[0])))}?" if near else ""


def _near_name(dotted: str) -> str:
    """The suggestion of a module whose name differs in one component: the first that does not exist."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        parent = parts[: length - 1]
        for folder in _folders() if parent else _folders()[:2]:
            near = get_close_matches(parts[length - 1], _names_in(folder.joinpath(*parent)), 1)
            if near and near[0] != parts[length - 1]:
                return f"; did you mean {quoted('.'.join([*parent, near[0], *parts[length:]]))}?"
    return ""


def _names_in(folder: Path) -> list[str]:
    """The modules and packages of a directory."""
    names = []
    for entry in _entries(folder):
        if entry.endswith(".py"):
            names.append(entry.removesuffix(".py"))
        elif (folder / entry).is_dir() and entry.isidentifier() and entry not in DEFAULT_EXCLUDES:
            names.append(entry)
    return names


def _entries(folder: Path) -> Sequence[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError:
        return ()
