"""Data model of cases: a file with models, and a case that is ready to be built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shapecheck.harness.cases.assumed.widths import WIDTHS
from shapecheck.harness.cases.declared import Declared

NO_SHAPES = 'forward has no shape annotations; annotate a parameter as Float[Tensor, "batch features"]'
"""Why a model without annotations is not run."""


@dataclass(frozen=True)
class KnownInputs:
    """Arguments for a forward without annotations.

    annotations: by parameter, such as `Float[Tensor, "batch 3 height width"]`; parameters that are not in it are left
    out. sizes: of their axis names except `batch`. ranges: of integers, by parameter. origin: for the report.
    """

    annotations: Mapping[str, str]
    origin: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A class or a factory with its declaration. name: `pkg.module:Class`, followed by `[label]` if it has one."""

    name: str
    target: Callable[..., Any]
    file: Path
    line: int
    declared: Declared = field(default_factory=Declared)
    reason: str = ""
    """Why it is not run, empty if it is."""
    infers: bool = False
    """Whether values are assumed for required arguments of its constructor."""
    width: int = WIDTHS[0]
    """The size that they have, unless their names say another one."""
    built: str = ""
    """How it is built, for the report; empty for a class or factory that is called with `declared.kwargs`."""
    inputs: Callable[[Any], Iterable[KnownInputs]] | None = None
    """What its library states about the inputs of the model."""
    alternatives: tuple[Case, ...] = ()
    """Other ways to build it, such as a smaller model, that are tried before `target`."""
    found_in: Target | None = None
    """What was loaded to find it, so that other processes can find it again."""


class CaseError(Exception):
    """A case cannot be run; the message is one line with the reason and the fix."""


@dataclass(frozen=True)
class Target:
    """A file with models. module: the name it is imported under; root: the directory from which that name is found.

    only: the name of one class or factory in it, "" for all. label: that of one of its cases, "" for all.
    """

    file: Path
    module: str
    root: Path
    only: str = ""
    label: str = ""
    configured: Mapping[str, Mapping[str, Declared]] = field(default_factory=dict)
    """`[tool.shapecheck.cases]`: declarations by class or factory and label."""
    infers: bool = False
    """Whether arguments of constructors are made up that have no annotation."""
    annotated: Mapping[str, str] = field(default_factory=dict)
    """The text of files whose annotations are inferred, by their real path."""
    folders: tuple[Path, ...] = ()
    """Further directories of the program, in addition to `root`: searched for imports, which are checked."""
    library: str = ""
    """The library that builds the models, such as `timm`; then `only` is a name or a pattern of it."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the constructors from the command line."""
