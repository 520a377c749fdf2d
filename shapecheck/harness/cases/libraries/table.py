"""The libraries, and the cases that their names and patterns select."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Case, KnownInputs, Target
from shapecheck.spec.presentation import quoted

_PATTERN = frozenset("*?")
_SUGGESTIONS = 3
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
"""The environment in which libraries download nothing: weights are random."""

PRELOADED = "SHAPECHECK_PRELOADED"
"""The environment variable with the modules that the fork server imports, separated by spaces."""


class NameProblem(Exception):
    """A library has no such model, or cannot build it; the message is one line."""


@dataclass(frozen=True)
class Recipe:
    """How one model is built. place: the file and line of its definition. built: for the report."""

    build: Callable[..., Any]
    place: tuple[Path, int]
    built: str
    inputs: Callable[[Any], Iterable[KnownInputs]] | None = None
    alternatives: tuple[Recipe, ...] = ()
    """Other ways to build it, tried before this one."""


@dataclass(frozen=True)
class Library:
    """A library of models. package: what must be importable. install: the command that installs it.

    names: its models, for patterns. recipe: of the model with a name and arguments; raises NameProblem for others.
    """

    prefix: str
    package: str
    install: str
    names: Callable[[], Sequence[str]]
    recipe: Callable[[str, Mapping[str, Any]], Recipe]
    preloaded: tuple[str, ...] = ()
    """Further modules that most models import."""


_LIBRARIES: dict[str, Library] = {}


def register(library: Library) -> None:
    """Adds a library, under its prefix."""
    _LIBRARIES[library.prefix] = library


@cache
def all_libraries() -> Mapping[str, Library]:
    """All libraries by prefix, whether they are installed or not."""
    import shapecheck.harness.cases.libraries as folder  # noqa: PLC0415 - it is this package

    for file in iter_modules(folder.__path__):
        import_module(f"{folder.__name__}.{file.name}")
    return _LIBRARIES


def location(library: Library) -> Path | None:
    """The file of its package; None if it is not installed."""
    spec = importlib.util.find_spec(library.package)
    return Path(spec.origin) if spec is not None and spec.origin else None


def modules_to_preload(targets: Iterable[Target]) -> tuple[str, ...]:
    """The modules of the libraries of some targets."""
    libraries = [all_libraries()[name] for name in dict.fromkeys(one.library for one in targets if one.library)]
    return tuple(name for library in libraries for name in (library.package, *library.preloaded))


def stay_offline() -> None:
    """Sets the environment in which no library downloads anything."""
    os.environ.update(_OFFLINE)


def cases_of(target: Target) -> list[Case]:
    """The cases of a library that a target names. Raises NameProblem if there are none."""
    stay_offline()
    library = all_libraries()[target.library]
    if not _PATTERN & set(target.only):
        return list(_cases(library, target.only, target))
    names = [name for name in library.names() if fnmatchcase(name, target.only)]
    if not names:
        raise NameProblem(f"no model matches {quoted(target.only)}")
    return [case for name in names for case in _cases_or_reason(library, name, target)]


def _cases_or_reason(library: Library, name: str, target: Target) -> Iterator[Case]:
    """The cases of one name of several; if it has none, one that is not run, with the reason."""
    try:
        yield from _cases(library, name, target)
    except NameProblem as why:
        yield Case(f"{library.prefix}:{name}", library.recipe, target.file, 1, reason=str(why))


def unknown_name(name: str, names: Iterable[str]) -> NameProblem:
    """The error for a name that is not among the names."""
    near = get_close_matches(name, list(names), _SUGGESTIONS)
    hint = f"; did you mean {' or '.join(map(quoted, near))}?" if near else ""
    return NameProblem(f"no such model{hint}")


def _cases(library: Library, name: str, target: Target) -> Iterator[Case]:
    """The case of a model, or those that the configuration declares for it."""
    for label, declared in target.configured.get(name, {"": Declared()}).items():
        recipe = library.recipe(name, {**declared.kwargs, **target.arguments})
        title = f"{library.prefix}:{name}{f'[{label}]' if label else ''}"
        yield _made(title, recipe, replace(declared, kwargs={}))


def _made(title: str, recipe: Recipe, declared: Declared) -> Case:
    others = tuple(_made(title, one, declared) for one in recipe.alternatives)
    return Case(
        title, recipe.build, *recipe.place, declared, built=recipe.built, inputs=recipe.inputs, alternatives=others
    )
