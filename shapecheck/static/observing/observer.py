"""An observer of a run: the values of expressions, and of the names that are assigned.

A session has none by default; observing then costs one comparison for each expression.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Set
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.watching import Watching

if TYPE_CHECKING:
    from shapecheck.static.domain.abstract_values import Value
    from shapecheck.static.domain.objects import FunctionValue, Namespace
    from shapecheck.static.engine.frames import Frame
    from shapecheck.static.engine.loading import SourceModule
    from shapecheck.static.engine.run import Run


Function = ast.FunctionDef | ast.AsyncFunctionDef


class Precision(IntEnum):
    """How precise a value is; a greater member is more precise."""

    NO_TENSOR = 0
    UNKNOWN = 1
    TENSOR = 2
    """A tensor of unknown rank."""
    RANK = 3
    SIZES = 4
    """A tensor whose sizes are all numbers or expressions of named sizes."""


_NO_TENSOR, _RANK, _SIZES = Precision.NO_TENSOR, Precision.RANK, Precision.SIZES
_FIXED = frozenset((TensorSpec, Unknown, ExternalReference, int, float, str, bool, type(None)))
"""Types of immutable values: the same value again shows nothing new."""


def precision_of(value: Value) -> Precision:
    """The precision of a value; of alternatives, that of the only one besides None, unless several are tensors."""
    if isinstance(value, Alternatives):
        levels = [precision_of(one) for one in value.members if one is not None]
        if len(levels) == 1 or not any(levels):
            return levels[0]
    if isinstance(value, Unknown):
        return Precision.UNKNOWN
    if not isinstance(value, TensorSpec):
        return Precision.NO_TENSOR
    if value.rank is None:
        return Precision.TENSOR
    return Precision.SIZES if all(map(_is_known, value.dims)) else Precision.RANK


def _is_known(size: int | Dim) -> bool:
    return isinstance(size, int) or "?" not in str(size)


class RunObserver:
    """What the runs of a session showed. Of several evaluations of an expression, the most precise one counts."""

    def __init__(self) -> None:
        self.values: dict[ast.AST, tuple[Precision, Value]] = {}
        """The expressions that were evaluated, with the most precise value."""
        self.decided: dict[ast.AST, bool | None] = {}
        """Whether an expression was always true or always false; None if neither."""
        self.functions: dict[Function, SourceModule] = {}
        """The functions that were entered."""
        self.forwards: dict[Function, SourceModule] = {}
        """Those that are the forward of a module, or were called from one."""
        self.bound: dict[ast.expr, dict[TensorSpec, None]] = {}
        """The targets of assignments, with the different tensors that they were bound to."""
        self.classes: dict[ast.AST, str] = {}
        """The classes that were to be instantiated in isolation, with the reason why that failed, if it did."""
        self.asked: Counter[str] = Counter()
        """How often the rule of each operator and layer was evaluated."""
        self.is_claiming = False
        """Whether the run assumes ranks that docstrings and comments claim."""
        self.claimed: set[ast.AST] = set()
        """The expressions whose rank is known only if these claims are true."""
        self._frame: Frame | None = None
        self.watching = Watching.ALL
        """What of a run is observed."""

    @property
    def sees_all(self) -> bool:
        """Whether the arguments are those of the program, or any."""
        return self.watching is Watching.ALL

    @property
    def assumes(self) -> bool:
        """Whether arguments are assumed, and nothing is reported."""
        return self.watching is Watching.ASSUMED

    def saw(self, run: Run, node: ast.expr, value: Value) -> None:
        """Records the value of an expression."""
        if run.frames[-1] is not self._frame:
            self._enter(run)
        had = self.values.get(node)
        attributes = self.is_claiming or node in self.claimed
        if had is not None and not attributes:
            is_best = had[0] is _SIZES and self.decided[node] is None
            is_best |= had[0] >= _RANK and self.watching is Watching.VARIANT
            if is_best or (had[1] is value and type(value) in _FIXED):
                return
        level = precision_of(value)
        if level < _RANK and self.watching is not Watching.ALL:
            return
        decided = self.decided.get(node, ...)
        if decided is not None:
            known = truth(value) if level is _NO_TENSOR else None
            self.decided[node] = known if decided is ... or decided is known else None
        if had is None or had[0] < level:
            self.values[node] = (level, value)
        if attributes:
            self._attribute(node, had, level)

    def _attribute(self, node: ast.expr, had: tuple[Precision, Value] | None, level: Precision) -> None:
        """Notes whether the rank of an expression is known because of claims alone."""
        if level >= Precision.RANK:
            if not self.is_claiming:
                self.claimed.discard(node)
            elif had is None or had[0] < Precision.RANK:
                self.claimed.add(node)

    def is_imprecise(self, node: ast.expr) -> bool:
        """Whether an expression may be a tensor, and no run has seen it as one of known rank."""
        return self.values.get(node, (Precision.UNKNOWN, None))[0] in (Precision.UNKNOWN, Precision.TENSOR)

    def bind(self, target: ast.expr, value: Value) -> None:
        """Records that a name or an attribute is bound to a value."""
        if isinstance(value, TensorSpec):
            known = self.bound.setdefault(target, {})
            if self.watching is Watching.ALL or not known or (value.rank is not None and not _has_rank(known)):
                known[value] = None

    def left(
        self, run: Run, function: FunctionValue, names: Namespace, bound: Mapping[str, Value], result: Value
    ) -> None:
        """Called at the end of each call, with the local names and the arguments; does nothing here."""

    def reused(self, run: Run, node: ast.AST, function: FunctionValue, bound: Value, result: Value) -> None:
        """Called for each call whose result comes from the cache, with its arguments; does nothing here."""

    @contextmanager
    def filling(self, watching: Watching) -> Iterator[None]:
        """Observes tensors of known rank only, and bound ones only where no run has shown one."""
        before, self.watching = self.watching, watching
        try:
            yield
        finally:
            self.watching = before

    def replayed(self, run: Run, functions: Set[Hashable]) -> None:
        """Records functions that a call entered whose result comes from the cache; the rest is known."""
        if any(map(_is_forward, run.frames)):
            for one in self.functions.keys() & functions:
                self.forwards[one] = self.functions[one]

    def _enter(self, run: Run) -> None:
        frame = self._frame = run.frame
        if isinstance(frame.function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.functions[frame.function] = frame.names.loaded
            if any(map(_is_forward, run.frames)):
                self.forwards[frame.function] = frame.names.loaded


def _has_rank(tensors: dict[TensorSpec, None]) -> bool:
    """Whether the rank of one of them is known; that of the last one usually is."""
    return any(one.rank is not None for one in reversed(tensors))


def _is_forward(frame: Frame) -> bool:
    return getattr(frame.function, "name", "") == "forward"
