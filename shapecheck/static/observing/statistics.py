"""How much a run understood: what `shapecheck check --stats` counts, and why the rest is unknown.

A tensor expression is a call, an operation, a subscript, an attribute or a name, in a forward or a function that one
reaches, whose value was a tensor in some run, or was unknown, or never came to be, where the source says that it is
probably a tensor (`tensor_like`). Each counts once, with the best of its runs. Not counted is what a condition on the
configuration switched off in every run.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from shapecheck.ops import Unknown
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.session import Session
from shapecheck.static.observing.forward_functions import forward_classes, reached
from shapecheck.static.observing.observer import Function, Precision, RunObserver
from shapecheck.static.observing.tensor_expressions import expressions_of, imported_from_torch, tensor_like
from shapecheck.static.observing.unentered_branches import unentered_nodes

_NAMED = re.compile(r"^(no attribute|no name|no value for|no module|no default for) .*")
_OWN = re.compile(r"^\w+( has a base or a decorator that is not modelled)$")
_MOST_PLACES = 3
_NOT_RUN = "the function was not run"
_NOT_REACHED = "the run of the function did not come there"
_ARGUMENT = "an argument that no caller gives a shape"


@dataclass(slots=True)
class RunStatistics:
    """The figures of a run."""

    expressions: int = 0
    """Tensor expressions."""
    rank: int = 0
    """Those of known rank."""
    sizes: int = 0
    """Those with every size a number or an expression of named sizes."""
    off: int = 0
    """Expressions, not counted above, that the configuration switches off."""
    functions: int = 0
    forwards: int = 0
    """Forwards of modules, and how many of them were run."""
    forwards_run: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """Why a forward was not run."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Where the ignorance of an expression of unknown rank began."""
    places: dict[str, list[str]] = field(default_factory=dict)
    """For each of these reasons, where it was met first."""
    asked: Counter[str] = field(default_factory=Counter)
    """Questions put to the rules of each operator and layer."""

    def met(self, counter: Counter[str], reason: str, loaded: SourceModule, node: ast.AST) -> None:
        """Counts a reason, and keeps the first places where it stands."""
        counter[reason] += 1
        places = self.places.setdefault(reason, [])
        place = f"{loaded.source.display}:{getattr(node, 'lineno', 1)}"
        if len(places) < _MOST_PLACES and place not in places:
            places.append(place)


def run_statistics(session: Session, watch: RunObserver, files: Iterable[SourceModule]) -> RunStatistics:
    """The figures of the run that was watched, for the code in these files."""
    figures = RunStatistics(functions=len(watch.functions), asked=watch.asked)
    for loaded in files:
        imported = imported_from_torch(loaded.tree)
        for function, is_forward in _code(session, watch, loaded, figures).items():
            _count(figures, watch, loaded, function, tensor_like(function, imported, is_forward))
    return figures


def _code(session: Session, watch: RunObserver, loaded: SourceModule, figures: RunStatistics) -> dict[Function, bool]:
    """The functions in a file that are the code of a forward, and whether they are one."""
    found: dict[Function, bool] = {}
    for cls, forward in forward_classes(session, loaded).items():
        figures.forwards += 1
        if forward in watch.functions:
            figures.forwards_run += 1
        else:
            figures.met(figures.skipped, _plain(watch.classes.get(cls, "") or "nothing builds it"), loaded, cls)
        for one in reached(loaded, cls, forward):
            found[one] = found.get(one, False) or one is forward
    for one, home in watch.forwards.items():
        if home is loaded:
            found.setdefault(one, one.name == "forward")
    inner = {inside for one in found for inside in ast.walk(one) if inside is not one}
    return {one: is_forward for one, is_forward in found.items() if one not in inner}


def _count(
    figures: RunStatistics, watch: RunObserver, loaded: SourceModule, function: Function, likely: set[ast.AST]
) -> None:
    was_run = function in watch.functions
    off = unentered_nodes(function, watch) if was_run else frozenset()
    roots = _Roots(watch, function, likely)
    for node in expressions_of(function):
        level, _ = watch.values.get(node, (None, None))
        if level is None and node in off:
            figures.off += node in likely
        elif level is Precision.NO_TENSOR or (level in (None, Precision.UNKNOWN) and node not in likely):
            continue
        else:
            figures.expressions += 1
            figures.rank += level in (Precision.RANK, Precision.SIZES)
            figures.sizes += level is Precision.SIZES
            if level not in (Precision.RANK, Precision.SIZES):
                figures.met(figures.reasons, roots.of(node) if was_run else _NOT_RUN, loaded, node)


class _Roots:
    """Why the rank of an expression is unknown: followed down to the part, or the assignment, where that began."""

    def __init__(self, watch: RunObserver, function: Function, likely: set[ast.AST]) -> None:
        self._watch = watch
        self._likely = likely
        self._sources: dict[str, list[ast.expr]] = {}
        for node in ast.walk(function):
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for name in (one for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)):
                    self._sources.setdefault(name.id, []).append(node.value)
        self._found: dict[ast.AST, str] = {}

    def of(self, node: ast.expr) -> str:
        """The reason, in words that many expressions share."""
        if node not in self._found:
            self._found[node] = ""  # what comes back to itself began elsewhere
            self._found[node] = self._began(node)
        return self._found[node]

    def _began(self, node: ast.expr) -> str:
        parts = self._sources.get(node.id, ()) if isinstance(node, ast.Name) else _parts(node)
        for part in parts:
            if self._is_vague(part) and (reason := self.of(part)):
                return reason
        return self._own(node)

    def _is_vague(self, node: ast.expr) -> bool:
        level, _ = self._watch.values.get(node, (None, None))
        return level is Precision.TENSOR or (level in (None, Precision.UNKNOWN) and node in self._likely)

    def _own(self, node: ast.expr) -> str:
        level, value = self._watch.values.get(node, (None, None))
        if level is None:
            return _NOT_REACHED
        if isinstance(value, Unknown):
            return _plain(value.reason or "no reason")
        return _ARGUMENT if isinstance(node, ast.Name) else f"the rank of {_what(node)}"


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.expr):
            yield part.value if isinstance(part, ast.Attribute) and isinstance(node, ast.Call) else part
        elif isinstance(part, ast.keyword):
            yield part.value


_KINDS: dict[type[ast.expr], str] = {
    ast.BinOp: "what arithmetic gives",
    ast.UnaryOp: "what arithmetic gives",
    ast.Compare: "what a comparison gives",
    ast.Subscript: "an item or a slice",
    ast.Attribute: "an attribute",
    ast.IfExp: "one of two values",
}


def _what(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return f"what {ast.unparse(node.func)[:40]} gives"
    return _KINDS.get(type(node), "an expression")


def _plain(reason: str) -> str:
    """The reason without the names that only one place has."""
    if reason.startswith("the argument "):
        return _ARGUMENT
    return _OWN.sub(r"a class\1", _NAMED.sub(r"\1 ...", reason))[:90]
