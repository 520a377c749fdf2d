"""What forward requires of its arguments: axis names, and the shape of each tensor under a plan."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter
from typing import Any

from shapecheck.harness.cases.model import CaseError
from shapecheck.harness.formatting import first_line
from shapecheck.runtime.hints import (
    ArrayHint,
    ClassHint,
    Hint,
    MappingHint,
    RecordHint,
    SequenceHint,
    TupleHint,
    UnionHint,
    walk,
)
from shapecheck.runtime.signature import FunctionContract
from shapecheck.spec.annotation import Anonymous, AxisPattern, Fixed, Named, Symbolic, Variadic
from shapecheck.spec.errors import ShapeError
from shapecheck.spec.presentation import value_text
from shapecheck.spec.symbolic import HoleValue

_AXES_OF_A_RUN = 2
_AXES_OF_DOTS = 1


@dataclass(frozen=True)
class InputSpecification:
    """The contract of a model's forward, together with the model."""

    contract: FunctionContract
    model: Any

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those after `self`."""
        return self.contract.parameters[1:]

    def optional(self) -> Iterator[str]:
        """Parameters with tensors that can be left out, or be None."""
        for parameter in self.parameters:
            hint = self.contract.arguments[parameter.name]
            can_be = parameter.default is not Parameter.empty or _takes_none(hint)
            if can_be and any(isinstance(part, ArrayHint) for part in walk(hint)):
                yield parameter.name

    def arrays(self, without: frozenset[str] = frozenset()) -> Iterator[tuple[str, ArrayHint]]:
        """Each annotated tensor, and its place: `x`, `xs`, `batch.image`."""
        for parameter in self.parameters:
            if parameter.name not in without:
                yield from _placed(parameter.name, self.contract.arguments[parameter.name])

    def names(self, without: frozenset[str] = frozenset()) -> dict[str, int | None]:
        """The names that need a size, in order; with a number for the number of axes of a run."""
        found: dict[str, int | None] = {}
        symbolic: dict[str, None] = {}
        for place, array in self.arrays(without):
            for index, pattern in enumerate(array.axes.axes):
                if isinstance(pattern, Variadic):
                    found.setdefault(run_name(place, pattern), _AXES_OF_A_RUN if pattern.name else _AXES_OF_DOTS)
                elif isinstance(pattern, Symbolic):
                    missing = pattern.expression.missing({}, self.holes(pattern))
                    symbolic.update(dict.fromkeys(missing))
                elif not isinstance(pattern, Fixed):
                    found.setdefault(axis_name(place, index, pattern), None)
        return {**found, **{name: None for name in symbolic if name not in found}}

    def shape(self, place: str, array: ArrayHint, sizes: Mapping[str, int], narrow: bool = False) -> tuple[int, ...]:
        """The sizes of one tensor. Raises CaseError for a symbolic axis without a size.

        narrow: axes that may be broadcast have size 1.
        """
        found: list[int] = []
        for index, pattern in enumerate(array.axes.axes):
            if isinstance(pattern, Variadic):
                name = run_name(place, pattern)
                run = [sizes[f"{name}.{axis}"] for axis in range(sizes[name])]
                found.extend([1] * len(run) if narrow and pattern.broadcast else run)
            elif narrow and pattern.broadcast:
                found.append(1)
            elif isinstance(pattern, Fixed):
                found.append(pattern.size)
            elif isinstance(pattern, Symbolic):
                found.append(self._value(pattern, sizes))
            else:
                found.append(sizes[axis_name(place, index, pattern)])
        return tuple(found)

    def is_feature(self, name: str, before: Collection[str] = ()) -> bool:
        """Whether it is the first axis of no tensor, and no tensor with it has an axis that was inferred before."""
        for place, array in self.arrays():
            index = self.axis_of(place, array, name)
            if index == 0:
                return False
            others = (self.axis_of(place, array, other) for other in before)
            if index is not None and any(other is not None for other in others):
                return False
        return True

    def is_broadcast(self, without: frozenset[str] = frozenset()) -> bool:
        """Whether an axis may be broadcast: `#b`."""
        return any(pattern.broadcast for _, array in self.arrays(without) for pattern in array.axes.axes)

    def axis_of(self, place: str, array: ArrayHint, name: str) -> int | None:
        """The index of the axis that consists of the name, None if a tensor has none."""
        for index, pattern in enumerate(array.axes.axes):
            if isinstance(pattern, Variadic):
                return 0 if run_name(place, pattern) == name and index == 0 else None
            if not isinstance(pattern, (Fixed, Symbolic)) and axis_name(place, index, pattern) == name:
                return index
        return None

    def holes(self, pattern: Symbolic) -> dict[str, HoleValue]:
        """The values of `{...}`, evaluated with the model and forward's defaults."""
        names: dict[str, Any] = {p.name: p.default for p in self.parameters if p.default is not Parameter.empty}
        names[self.contract.parameters[0].name] = self.model
        found: dict[str, HoleValue] = {}
        for hole in pattern.expression.holes:
            try:
                value = eval(hole, {}, names)
            except Exception as wrong:
                raise CaseError(f'cannot evaluate axis "{pattern.text}": {first_line(wrong)}') from None
            found[hole] = value if isinstance(value, int) else str(value)
        return found

    def _value(self, pattern: Symbolic, sizes: Mapping[str, int]) -> int:
        known = {name: size for name, size in sizes.items() if name.isidentifier()}
        try:
            value = pattern.expression.value(known, self.holes(pattern))
        except (ShapeError, ArithmeticError) as wrong:
            raise CaseError(f'cannot evaluate axis "{pattern.text}": {first_line(wrong)}') from None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or value < 0:
            raise CaseError(f'expected axis "{pattern.text}" to be a size, got {value_text(value)}')
        return value

    def known_sizes(self) -> dict[str, int]:
        """Sizes that the model has under the name of an axis: `self.features`, `self.config.features`."""
        owners = (self.model, attribute(self.model, "config"), attribute(self.model, "cfg"))
        found: dict[str, int] = {}
        for name in self.names():
            for owner in owners:
                value = attribute(owner, name) if name.isidentifier() else None
                if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                    found.setdefault(name, value)
        return found


def attribute(owner: object, name: str) -> Any:
    """An attribute, None if there is none: a property may raise anything."""
    try:
        return getattr(owner, name, None)
    except Exception:
        return None


def axis_name(place: str, index: int, pattern: AxisPattern) -> str:
    """The name of an axis that can be any size: its own, or one for its place."""
    if isinstance(pattern, Named) and pattern.name:
        return pattern.name
    return f"{place}.{'_' if isinstance(pattern, (Anonymous, Named)) else pattern.text}{index}"


def run_name(place: str, pattern: Variadic) -> str:
    """The name of a run: `*batch`, or `*x` for the dots in the annotation of x."""
    return f"*{pattern.name}" if pattern.name else f"*{place}..."


def _placed(place: str, hint: Hint) -> Iterator[tuple[str, ArrayHint]]:
    if isinstance(hint, ArrayHint):
        yield place, hint
    elif isinstance(hint, UnionHint):
        chosen = generated_member(hint)
        if chosen is not None:
            yield from _placed(place, chosen)
    elif isinstance(hint, SequenceHint):
        yield from _placed(f"{place}[]", hint.item)
    elif isinstance(hint, TupleHint):
        for index, item in enumerate(hint.items):
            yield from _placed(f"{place}[{index}]", item)
    elif isinstance(hint, MappingHint):
        yield from _placed(f"{place}[]", hint.value)
    elif isinstance(hint, RecordHint):
        for name, field in hint.fields:
            yield from _placed(f"{place}.{name}", field)


def generated_member(hint: UnionHint) -> Hint | None:
    """The member of a union to generate a value for: the first with tensors, otherwise the first that is not None."""
    for member in hint.members:
        if any(isinstance(part, ArrayHint) for part in walk(member)):
            return member
    return next((one for one in hint.members if not _is_none(one)), None)


def _takes_none(hint: Hint) -> bool:
    return isinstance(hint, UnionHint) and any(map(_is_none, hint.members))


def _is_none(hint: Hint) -> bool:
    return isinstance(hint, ClassHint) and hint.hint in (None, type(None))


def accepts_anything(parameter: Parameter) -> bool:
    """`*args` and `**kwargs`."""
    return parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
