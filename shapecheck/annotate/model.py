"""Options, plans and results of `shapecheck annotate`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from shapecheck.fix.model import DEFAULT_WIDTH, FileResult
from shapecheck.record.store import RecordedFunction
from shapecheck.static.observing.call_observer import ObservedCalls


class FunctionKey(NamedTuple):
    """A function in the source: the displayed path of its file, its qualified name, and its line."""

    path: str
    name: str
    line: int


Signatures = Mapping[FunctionKey, ObservedCalls]


Trial = Callable[[Mapping[str, str], Collection[tuple[FunctionKey, str]]], Iterable[tuple[FunctionKey, str, str]]]
"""Runs the annotated texts, by the real path of their file; returns which of the written annotations are contradicted.

An annotation is a function and a parameter or "return"; the last item of the result is the reason.
"""


class Doubt(Enum):
    """Which part of the annotations of a function is not written; each includes those before it."""

    NAMES = "names of sizes that occur once"
    """Check takes sizes of different names for different sizes, so that they cannot be combined."""
    CALLERS = "what only callers show"
    ALL = "everything"


@dataclass(frozen=True, slots=True)
class AnnotateOptions:
    """The options of a run."""

    only: frozenset[str] = frozenset()
    """The names of the functions to annotate; empty for all."""
    selected: Mapping[Path, frozenset[str]] = field(default_factory=dict)
    """The qualified names of the functions to annotate in some files; a class means its methods."""
    keep: bool = False
    """Whether a plain `x: Tensor` stays as it is."""
    generated: bool = False
    """Whether generated files are annotated too."""
    line_length: int | None = None
    noqa: bool = True
    """Whether an annotated file gets a comment that disables the rule of ruff that rejects axis strings."""
    write: bool = True
    diff: bool = False
    explain: bool = False
    recorded: Sequence[RecordedFunction] = ()
    """Calls of earlier runs, which complete what the source shows."""
    trial: Trial | None = None
    """Runs the annotated functions."""
    broadcasts: bool = True
    """Whether functions are annotated whose result is broadcast from arguments of any shape."""

    @property
    def width(self) -> int:
        """The line length to use."""
        return self.line_length or DEFAULT_WIDTH

    def wants(self, path: Path, name: str) -> bool:
        """Whether a function is selected."""
        if self.only and name.rpartition(".")[2] not in self.only:
            return False
        chosen = self.selected.get(path)
        return chosen is None or any(name == one or name.startswith(f"{one}.") for one in chosen)


@dataclass(frozen=True, slots=True)
class Written:
    """One annotation that is written: of a parameter, or of the result."""

    function: FunctionKey
    name: str
    """The parameter, or "return"."""
    text: str
    reasons: tuple[tuple[str, str], ...] = ()
    """Each axis, and where it comes from."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Annotations that are not written, because a check of the annotated file or a call contradicts them."""

    function: FunctionKey
    part: str
    """A parameter, "return", or the value of a Doubt."""
    why: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A function whose tensors are not annotated, although the analysis reaches it."""

    function: FunctionKey
    why: str


@dataclass(slots=True)
class AnnotateResult:
    """The result of one file."""

    file: FileResult
    written: list[Written] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
