"""How much of a program a run evaluated: the figures of `shapecheck check --stats`, and why the rest is unknown.

A tensor expression is a call, an operation, a subscript, an attribute or a name, in a forward or a function that a
forward reaches. Its value was a tensor in some run; or it was unknown or never evaluated, and is probably a tensor
by the source (`tensor_like`). Each counts once, with its most precise value. Code that a condition on the configuration
disabled in every run is not counted.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from shapecheck.ops import Unknown
from shapecheck.project.tree_walk import children_of, walk
from shapecheck.spec.presentation import clipped
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.session import Session
from shapecheck.static.observing.forward_functions import forward_classes, reached
from shapecheck.static.observing.observer import Function, Precision, RunObserver
from shapecheck.static.observing.tensor_expressions import expressions_of, imported_from_torch, tensor_like
from shapecheck.static.observing.unentered_branches import unentered_nodes

_NAMED = re.compile(r"^(no attribute|no name|no value for attribute|no module|no default for) .*")
_OWN = re.compile(r"^\w+( has an unsupported base or decorator)$")
_MOST_PLACES = 3
_NOT_RUN = "function not evaluated"
_NOT_REACHED = "code not reached"
_ARGUMENT = "argument without a shape from any caller"


@dataclass(slots=True)
class RunStatistics:
    """The figures of a run."""

    expressions: int = 0
    """Tensor expressions."""
    rank: int = 0
    """Those of known rank."""
    claimed: int = 0
    """Those among them whose rank only a docstring or a comment shows."""
    sizes: int = 0
    """Those whose sizes are all numbers or expressions of named sizes."""
    off: int = 0
    """Expressions, not counted above, that the configuration disables."""
    functions: int = 0
    forwards: int = 0
    """Forwards of modules, and how many of them were run."""
    forwards_run: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """Why a forward was not run."""
    reasons: Counter[str] = field(default_factory=Counter)
    """The root causes of unknown ranks."""
    places: dict[str, list[str]] = field(default_factory=dict)
    """For each of these reasons, the first places where it occurred."""
    asked: Counter[str] = field(default_factory=Counter)
    """How often the rule of each operator and layer was evaluated."""

    def met(self, counter: Counter[str], reason: str, loaded: SourceModule, node: ast.AST) -> None:
        """Counts a reason, and keeps the first places where it occurs."""
        counter[reason] += 1
        places = self.places.setdefault(reason, [])
        place = f"{loaded.source.display}:{getattr(node, 'lineno', 1)}"
        if len(places) < _MOST_PLACES and place not in places:
            places.append(place)


def run_statistics(session: Session, watch: RunObserver, files: Iterable[SourceModule]) -> RunStatistics:
    """The figures of an observed run, for the code in these files."""
    figures = RunStatistics(functions=len(watch.functions), asked=watch.asked)
    for loaded in files:
        imported = imported_from_torch(loaded.tree)
        for function, is_forward in _forward_code(session, watch, loaded, figures).items():
            _count(figures, watch, loaded, function, tensor_like(function, imported, is_forward))
    return figures


def _forward_code(
    session: Session, watch: RunObserver, loaded: SourceModule, figures: RunStatistics
) -> dict[Function, bool]:
    """The functions in a file that belong to a forward, and whether they are one."""
    found: dict[Function, bool] = {}
    for cls, forward in forward_classes(session, loaded).items():
        figures.forwards += 1
        if forward in watch.functions:
            figures.forwards_run += 1
        else:
            figures.met(
                figures.skipped, _generic(watch.classes.get(cls, "") or "class never instantiated"), loaded, cls
            )
        for one in reached(loaded, cls, forward):
            found[one] = found.get(one, False) or one is forward
    for one, home in watch.forwards.items():
        if home is loaded:
            found.setdefault(one, one.name == "forward")
    inner = {inside for one in found for inside in walk(one) if inside is not one}
    return {one: is_forward for one, is_forward in found.items() if one not in inner}


def _count(
    figures: RunStatistics, watch: RunObserver, loaded: SourceModule, function: Function, likely: set[ast.AST]
) -> None:
    was_run = function in watch.functions
    off = unentered_nodes(function, watch) if was_run else frozenset()
    roots = _RootCauses(watch, function, likely)
    for node in expressions_of(function):
        level, _ = watch.values.get(node, (None, None))
        if level is None and node in off:
            figures.off += node in likely
        elif level is Precision.NO_TENSOR or (level in (None, Precision.UNKNOWN) and node not in likely):
            continue
        else:
            figures.expressions += 1
            figures.rank += level in (Precision.RANK, Precision.SIZES)
            figures.claimed += node in watch.claimed
            figures.sizes += level is Precision.SIZES
            if level not in (Precision.RANK, Precision.SIZES):
                figures.met(figures.reasons, roots.of(node) if was_run else _NOT_RUN, loaded, node)


class _RootCauses:
    """Why the rank of an expression is unknown: traced to the operand or assignment that is the root cause."""

    def __init__(self, watch: RunObserver, function: Function, likely: set[ast.AST]) -> None:
        self._watch = watch
        self._likely = likely
        self._sources: dict[str, list[ast.expr]] = {}
        for node in walk(function):
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for name in (one for target in targets for one in walk(target) if isinstance(one, ast.Name)):
                    self._sources.setdefault(name.id, []).append(node.value)
        self._found: dict[ast.AST, str] = {}

    def of(self, node: ast.expr) -> str:
        """The reason, worded so that many expressions share it."""
        if node not in self._found:
            self._found[node] = ""  # a cycle has its cause elsewhere
            self._found[node] = self._root_cause(node)
        return self._found[node]

    def _root_cause(self, node: ast.expr) -> str:
        parts = self._sources.get(node.id, ()) if isinstance(node, ast.Name) else _parts(node)
        for part in parts:
            if self._is_imprecise(part) and (reason := self.of(part)):
                return reason
        return self._own_reason(node)

    def _is_imprecise(self, node: ast.expr) -> bool:
        level, _ = self._watch.values.get(node, (None, None))
        return level is Precision.TENSOR or (level in (None, Precision.UNKNOWN) and node in self._likely)

    def _own_reason(self, node: ast.expr) -> str:
        level, value = self._watch.values.get(node, (None, None))
        if level is None:
            return _NOT_REACHED
        if isinstance(value, Unknown):
            return _generic(value.reason or "unknown cause")
        return _ARGUMENT if isinstance(node, ast.Name) else f"unknown rank of {_description(node)}"


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    for part in children_of(node):
        if isinstance(part, ast.expr):
            yield part.value if isinstance(part, ast.Attribute) and isinstance(node, ast.Call) else part
        elif isinstance(part, ast.keyword):
            yield part.value


_KINDS: dict[type[ast.expr], str] = {
    ast.BinOp: "an arithmetic operation",
    ast.UnaryOp: "an arithmetic operation",
    ast.Compare: "a comparison",
    ast.Subscript: "a subscript",
    ast.Attribute: "an attribute",
    ast.IfExp: "a conditional expression",
}


def _description(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return f"the result of {clipped(ast.unparse(node.func), 40)}()"
    return _KINDS.get(type(node), "an expression")


def _generic(reason: str) -> str:
    """The reason without names that are specific to one place."""
    if reason.startswith("argument "):
        return _ARGUMENT
    return _OWN.sub(r"a class\1", _NAMED.sub(r"\1 ...", reason))[:90]
