"""What two tensors of unknown rank are for the ranks that their sources can have.

The operators that computed both are applied again, for each combination of ranks of the tensors that they start from.
Sizes that must be equal are unified. A combination counts only if the sizes of each of these tensors remain independent
of each other, because others work for square tensors alone, for example.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from shapecheck.ops import Trait, infer, names_with
from shapecheck.ops.assumptions import assuming
from shapecheck.spec import Dim, Shape, ShapeError, Size, TensorSpec, axis
from shapecheck.spec.dim import variables
from shapecheck.spec.facts import Facts
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.floats import as_operand
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run

_MOST_STEPS = 24
_MOST_SOURCES = 3
_RANKS = range(4)
_SYMBOLS = frozenset("+ - * / // % **".split())


class _Incomparable(Exception):
    """The sources of the tensors are not known well enough."""


class _Steps:
    """The operators that computed some tensors, and the tensors that they start from."""

    def __init__(self, run: Run, tensors: Sequence[TensorSpec]) -> None:
        self.made: dict[int, TensorOrigin] = {}
        self.sources: dict[int, TensorSpec] = {}
        self._run = run
        for one in tensors:
            self._add(one)

    def _add(self, value: TensorSpec) -> None:
        if id(value) in self.made or id(value) in self.sources:
            return
        origin = self._run.origins.of_tensor(value)
        if origin is None:
            self.sources[id(value)] = value
        else:
            self.made[id(value)] = origin
        if len(self.made) > _MOST_STEPS or len(self.sources) > _MOST_SOURCES:
            raise _Incomparable
        if origin is not None:
            for one in (*origin.args, *origin.kwargs.values()):
                for tensor in _tensors(one):
                    self._add(tensor)


def _tensors(value: Value) -> Iterator[TensorSpec]:
    if isinstance(value, TensorSpec):
        yield value
    elif isinstance(value, ListValue) or type(value) is tuple:
        for one in value.items if isinstance(value, ListValue) else value:
            yield from _tensors(one)


def possible_shapes(run: Run, one: TensorSpec, other: TensorSpec) -> list[tuple[Shape, Shape]]:
    """The shapes of two tensors for each combination of ranks for which their sources agree; [] if not known."""
    try:
        steps = _Steps(run, (one, other))
    except _Incomparable:
        return []
    runs = [value.shape.run for value in steps.sources.values() if value.shape.run is not None]
    if not runs or len(set(map(id, runs))) != len(runs) or any(run.is_part for run in runs):
        return []
    found = []
    for counts in product(_RANKS, repeat=len(runs)):
        shapes = _Hypothesis(steps, dict(zip(map(id, runs), counts, strict=True))).shapes_of(one, other)
        if shapes is not None:
            found.append(shapes)
    return found


class _Hypothesis:
    """The tensors for one combination of ranks."""

    def __init__(self, steps: _Steps, counts: dict[int, int]) -> None:
        self._steps = steps
        self._facts = Facts()
        self._known = {key: _of_rank(value, counts, place) for place, (key, value) in enumerate(steps.sources.items())}
        self._sources = list(self._known.values())

    def shapes_of(self, one: TensorSpec, other: TensorSpec) -> tuple[Shape, Shape] | None:
        """The shapes of two tensors; None if the program fails, or works by coincidence."""
        try:
            shapes = self._of(one).shape, self._of(other).shape
            self._unify_with(*shapes)
        except (ShapeError, _Incomparable):
            return None
        if None in (shapes[0].rank, shapes[1].rank) or not all(map(self._is_free, self._sources)):
            return None
        return shapes

    def _of(self, value: TensorSpec) -> TensorSpec:
        found = self._known.get(id(value))
        if found is None:
            found = self._known[id(value)] = self._computed(self._steps.made[id(value)])
        return found

    def _computed(self, origin: TensorOrigin) -> TensorSpec:
        args = [to_ops(as_operand(self._in(one))) for one in origin.args]
        kwargs = {key: to_ops(as_operand(self._in(one))) for key, one in origin.kwargs.items()}
        with assuming() as assumed:
            result = infer(origin.callee, *args, **kwargs)
        if not isinstance(result, TensorSpec) or result.rank is None:
            raise _Incomparable
        for each in assumed:
            self._unify(each.left, each.right)
        if isinstance(origin.callee, str) and _is_elementwise(origin.callee):
            shapes = [one.shape for one in args if isinstance(one, TensorSpec)]
            for one, other in combinations(shapes, 2):
                self._unify_with(one, other)
        return result

    def _in(self, value: Value) -> Value:
        if isinstance(value, TensorSpec):
            return self._of(value)
        if isinstance(value, ListValue):
            return ListValue(tuple(map(self._in, value.items)))
        return tuple(map(self._in, value)) if type(value) is tuple else value

    def _unify_with(self, one: Shape, other: Shape) -> None:
        for left, right in zip(reversed(one.dims), reversed(other.dims), strict=False):
            if left != 1 and right != 1:
                self._unify(left, right)

    def _unify(self, left: Size, right: Size) -> None:
        self._facts = self._facts.learn_equal(left, right)

    def _is_free(self, source: TensorSpec) -> bool:
        """Whether no size of a tensor determines another one, and none is determined to be a number."""
        sizes = [self._facts.apply(size) for size in source.dims if isinstance(size, Dim)]
        names = [variables(size) for size in sizes]
        return all(names) and not any(one & other for one, other in combinations(names, 2))


def _is_elementwise(callee: str) -> bool:
    name = callee.rpartition(".")[2]
    return callee in _SYMBOLS or any(name in names_with(trait) for trait in (Trait.SUM, Trait.PAIRS))


def _of_rank(value: TensorSpec, counts: dict[int, int], place: int) -> TensorSpec:
    """The tensor with named sizes for its dimensions of unknown number."""
    run = value.shape.run
    if run is None:
        return value
    hidden = (axis(f"r{place}_{index}", "") for index in range(counts[id(run)]))
    return value.with_shape(Shape((*value.shape.head, *hidden, *value.shape.tail)))
