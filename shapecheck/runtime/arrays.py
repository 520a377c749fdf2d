"""Generates the condition for one tensor, and the assignments that follow from it, as Python source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from shapecheck.runtime.broadcasting import broadcast_run
from shapecheck.runtime.constraints import Layout
from shapecheck.runtime.dtypes import dtype_name
from shapecheck.runtime.hints import ArrayHint
from shapecheck.runtime.scope import BindingState, DeferredComparison, SizeScope, Unsupported
from shapecheck.runtime.symbols import axis_names, axis_source
from shapecheck.spec.annotation import AxisPattern, Fixed, Named, Symbolic, Variadic


@dataclass
class Condition:
    """`tests` that must all hold, in this order, then the lines of `bindings`."""

    tests: list[str] = field(default_factory=list)
    bindings: list[str] = field(default_factory=list)


def array_condition(hint: ArrayHint, value: str, scope: SizeScope, alternative: bool) -> Condition:
    """The condition on `value`, a variable. An `alternative` is one of several and must be decided immediately."""
    made = _Writer(hint, value, scope, alternative)
    made.kind_and_dtype()
    made.shape()
    made.promises()
    return made.condition


class _Writer:
    def __init__(self, hint: ArrayHint, value: str, scope: SizeScope, alternative: bool) -> None:
        self.hint = hint
        self.value = value
        self.scope = scope
        self.alternative = alternative
        self.condition = Condition()
        self.sizes = f"{value}.shape"
        self.places: dict[str, list[tuple[str, bool]]] = {}
        """The sizes of this tensor that each name was found at, and whether it had a `#` there."""

    def test(self, source: str) -> None:
        self.condition.tests.append(source)

    def kind_and_dtype(self) -> None:
        hint, names = self.hint, self.scope.names
        if hint.kind is None:
            self.condition.tests += [f"hasattr({self.value}, 'shape')", f"hasattr({self.value}, 'dtype')"]
        else:
            self.test(f"isinstance({self.value}, {names.constant(hint.kind.__name__, hint.kind)})")
        if hint.dtypes.everything:
            return
        allowed = hint.dtypes.of_torch() if hint.of_torch else None
        if allowed is None:
            allow = names.constant(f"is_{hint.dtypes.name}", hint.dtypes.allow)
            self.test(f"{allow}({self.value}.dtype)")
        elif len(allowed) == 1:
            (only,) = allowed
            self.test(f"{self.value}.dtype is {names.constant(dtype_name(only), only)}")
        else:
            self.test(f"{self.value}.dtype in {names.constant(hint.dtypes.name, allowed)}")

    def promises(self) -> None:
        for promise in self.hint.promises:
            if isinstance(promise, Layout):
                holds = self.scope.names.constant(f"is_{promise.name}", promise.holds)
            else:
                holds = self.scope.names.constant(f"is_on_{promise.device}", promise.holds)
            self.test(f"{holds}({self.value})")

    def shape(self) -> None:
        axes, at = self.hint.axes.axes, self.hint.axes.variadic
        if any(pattern.tree for pattern in axes):
            raise Unsupported
        if at is None:
            self._whole(axes)
            return
        last = len(axes) - at - 1
        if axes[at].text == "..." and len(axes) == 1:
            return
        self._read_shape(f">= {len(axes) - 1}" if len(axes) > 1 else None)
        numbered = [(pattern, self._size(index)) for index, pattern in enumerate(axes[:at])]
        numbered += [(pattern, self._size(index - last)) for index, pattern in enumerate(axes[at + 1 :])]
        self._each(numbered)
        self._run(axes[at], f"{self.sizes}[{at or ''}:{-last if last else ''}]")

    def _read_shape(self, rank: str | None) -> None:
        variable = self.scope.names.fresh(f"{self.value}_shape")
        read = f"({variable} := {self.value}.shape)"
        self.test(f"len{read} {rank}" if rank else f"{read} is not None")
        self.sizes = variable

    def _size(self, index: int) -> str:
        return f"{self.sizes}[{index}]"

    def _whole(self, axes: tuple[AxisPattern, ...]) -> None:
        known = [self._known(pattern) for pattern in axes]
        sources = [source for source in known if source is not None]
        if len(sources) == len(axes):
            self.test(f"{self.value}.shape == ({', '.join(sources)}{',' if len(axes) == 1 else ''})")
            return
        self._read_shape(f"== {len(axes)}")
        if self._all_new(axes):
            targets = ", ".join(self.scope.bind(pattern.name) for pattern in axes if isinstance(pattern, Named))
            self.condition.bindings.append(f"{targets}{',' if len(axes) == 1 else ''} = {self.sizes}")
            return
        self._each([(pattern, self._size(index)) for index, pattern in enumerate(axes)])

    def _known(self, pattern: AxisPattern) -> str | None:
        """The one size that the axis can have, where a variable or a number holds it."""
        if pattern.broadcast:
            return None
        if isinstance(pattern, Fixed):
            return str(pattern.size)
        if isinstance(pattern, Named) and self.scope.state(pattern.name) is BindingState.BOUND:
            return self.scope.variable(pattern.name)
        if isinstance(pattern, Symbolic):
            names = axis_names(pattern.expression)
            if all(self.scope.state(name) is BindingState.BOUND for name in names):
                variables = {name: self.scope.variable(name) for name in names}
                return axis_source(pattern.expression, variables, self.scope.holes)
        return None

    def _all_new(self, axes: tuple[AxisPattern, ...]) -> bool:
        names = [pattern.name for pattern in axes if isinstance(pattern, Named) and not pattern.broadcast]
        fresh = all(self.scope.state(name) is BindingState.UNBOUND for name in names)
        return fresh and len(set(names)) == len(axes)

    def _each(self, numbered: list[tuple[AxisPattern, str]]) -> None:
        for pattern, size in numbered:
            if isinstance(pattern, Fixed):
                self._compare(pattern, size, str(pattern.size))
            elif isinstance(pattern, Named):
                self._named(pattern, size)
        for pattern, size in numbered:
            if isinstance(pattern, Symbolic):
                self._symbolic(pattern, size)
        for name, places in self.places.items():
            self._bind(name, places)

    def _compare(self, pattern: AxisPattern, size: str, expected: str) -> None:
        self.test(f"({size} == 1 or {size} == {expected})" if pattern.broadcast else f"{size} == {expected}")

    def _named(self, pattern: Named, size: str) -> None:
        state = self.scope.state(pattern.name)
        places = self.places.setdefault(pattern.name, [])
        if state is BindingState.BOUND:
            self._compare(pattern, size, self.scope.variable(pattern.name))
            return
        if state is BindingState.MAYBE:
            variable = self.scope.variable(pattern.name)
            one = f"{size} == 1 or " if pattern.broadcast else ""
            self.test(f"({one}{variable} is None or {size} == {variable})")
        for other, broadcast in places:
            ones = [f"{place} == 1" for place, free in ((size, pattern.broadcast), (other, broadcast)) if free]
            both = " or ".join([*ones, f"{size} == {other}"])
            self.test(f"({both})" if ones else both)
        places.append((size, pattern.broadcast))

    def _bind(self, name: str, places: list[tuple[str, bool]]) -> None:
        if not places:
            return
        certain = [size for size, broadcast in places if not broadcast]
        if certain:
            self.condition.bindings.append(f"{self.scope.bind(name)} = {certain[0]}")
            return
        variable = self.scope.may_be_unbound(name)
        for size, _ in places:
            self.condition.bindings.append(f"{variable} = {variable} if {size} == 1 else {size}")

    def _symbolic(self, pattern: Symbolic, size: str) -> None:
        names = axis_names(pattern.expression)
        sources = {name: source for name in names if (source := self._source(name)) is not None}
        if len(sources) == len(names):
            self._compare(pattern, size, f"({axis_source(pattern.expression, sources, self.scope.holes)})")
        elif self.alternative:
            raise Unsupported
        else:
            self.scope.later.append(DeferredComparison(size, pattern.expression, names, pattern.broadcast))

    def _source(self, name: str) -> str | None:
        if self.scope.state(name) is BindingState.BOUND:
            return self.scope.variable(name)
        if self.scope.state(name) is BindingState.MAYBE:
            return None
        return next((size for size, broadcast in self.places.get(name, ()) if not broadcast), None)

    def _run(self, pattern: AxisPattern, part: str) -> None:
        if not isinstance(pattern, Variadic) or pattern.name is None:
            return
        axis = f"*{pattern.name}"
        state = self.scope.state(axis)
        if axis in self.scope.broadcasting:
            variable = self.scope.may_be_unbound(axis)
            taken = self.scope.names.fresh(f"{variable}_taken")
            together = self.scope.names.constant("broadcast_run", broadcast_run)
            self.test(f"({taken} := {together}({variable}, {pattern.broadcast}, {part})) is not None")
            self.condition.bindings.append(f"{variable} = {taken}")
            return
        if state is BindingState.BOUND:
            self.test(f"{part} == {self.scope.variable(axis)}")
            return
        if state is BindingState.MAYBE:
            variable = self.scope.variable(axis)
            self.test(f"({variable} is None or {part} == {variable})")
        self.condition.bindings.append(f"{self.scope.bind(axis)} = {part}")


def later_tests(scope: SizeScope) -> Iterator[str]:
    """The deferred comparisons, once every tensor of the scope has been read."""
    for one in scope.later:
        if any(scope.state(name) is BindingState.UNBOUND for name in one.names):
            raise Unsupported
        for name in one.names:
            if scope.state(name) is BindingState.MAYBE:
                yield f"{scope.variable(name)} is not None"
        variables = {name: scope.variable(name) for name in one.names}
        expected = f"({axis_source(one.expression, variables, scope.holes)})"
        yield f"({one.size} == 1 or {one.size} == {expected})" if one.broadcast else f"{one.size} == {expected}"
    scope.later.clear()
