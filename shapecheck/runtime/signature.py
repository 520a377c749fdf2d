"""The contract of one function: what is checked when it is called."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import Parameter
from typing import Any, NamedTuple

from shapecheck.runtime.hints import (
    AnythingHint,
    Hint,
    MappingHint,
    RecordHint,
    SequenceHint,
    TupleHint,
    UnionHint,
    patterns,
    walk,
)
from shapecheck.spec.annotation import Named, Symbolic, Variadic


class LocalVariable(NamedTuple):
    """An annotated local variable, or the value of an `isinstance` that tests for an array."""

    name: str
    hint: Hint
    is_question: bool


@dataclass(frozen=True)
class FunctionContract:
    """A function and its hints.

    arguments: by parameter. result: of the value that it returns, or, for a generator, of each value that it yields.
    sizes: names of axes that are attributes of the first argument. locals: annotated local variables, in their order.
    """

    function: Callable[..., Any]
    name: str
    parameters: tuple[Parameter, ...]
    arguments: Mapping[str, Hint]
    result: Hint
    sizes: tuple[str, ...] = ()
    locals: tuple[LocalVariable, ...] = ()

    @cached_property
    def broadcasting(self) -> frozenset[str]:
        """The runs that appear as `*#batch`."""
        return frozenset(
            f"*{pattern.name}"
            for hint in self.hints
            for pattern in patterns(hint)
            if isinstance(pattern, Variadic) and pattern.broadcast
        )

    @property
    def hints(self) -> tuple[Hint, ...]:
        """All of them."""
        return (*self.arguments.values(), self.result, *(local.hint for local in self.locals))

    @property
    def is_coroutine(self) -> bool:
        """`async def` without yield."""
        return inspect.iscoroutinefunction(self.function)

    @property
    def is_generator(self) -> bool:
        """`def` with yield."""
        return inspect.isgeneratorfunction(self.function)

    @property
    def is_async_generator(self) -> bool:
        """`async def` with yield."""
        return inspect.isasyncgenfunction(self.function)


def axes_of(hints: Iterable[Hint]) -> list[str]:
    """The names of the sizes in the hints: `b`, `*batch`."""
    found: dict[str, None] = {}
    for hint in hints:
        for pattern in patterns(hint):
            if isinstance(pattern, Named):
                found[pattern.name] = None
            elif isinstance(pattern, Variadic) and pattern.name is not None:
                found[f"*{pattern.name}"] = None
    return list(found)


def holes_of(hints: Iterable[Hint]) -> list[str]:
    """The expressions in `{...}` in the hints."""
    found: dict[str, None] = {}
    for hint in hints:
        for pattern in patterns(hint):
            if isinstance(pattern, Symbolic):
                found.update(dict.fromkeys(pattern.expression.holes))
    return list(found)


def separate_records(hints: Mapping[str, Hint]) -> dict[str, Hint]:
    """The hints; a record has its own axis names if a call can contain several of its class.

    `def join(one: Batch, other: Batch) -> Batch` does not require all of them to have the same sizes.
    """
    count = Counter(part.kind for hint in hints.values() for part in walk(hint) if isinstance(part, RecordHint))
    several = {kind for kind, times in count.items() if times > 1}
    return {name: _separated(hint, several, False) for name, hint in hints.items()}


def _separated(hint: Hint, several: set[type], repeated: bool) -> Hint:
    if isinstance(hint, RecordHint):
        alone = repeated or hint.kind in several
        return replace(
            hint,
            fields=tuple((name, _separated(field, several, repeated)) for name, field in hint.fields),
            alone=alone,
        )
    if isinstance(hint, SequenceHint):
        return replace(hint, item=_separated(hint.item, several, True))
    if isinstance(hint, MappingHint):
        return replace(hint, value=_separated(hint.value, several, True))
    if isinstance(hint, UnionHint):
        return replace(hint, members=tuple(_separated(member, several, repeated) for member in hint.members))
    if isinstance(hint, TupleHint):
        return TupleHint(tuple(_separated(item, several, repeated) for item in hint.items))
    return hint


def parameter_hint(parameter: Parameter, hint: Hint) -> Hint:
    """The hint of a parameter's variable: every item of `*args`, every value of `**kwargs`."""
    if isinstance(hint, AnythingHint):
        return hint
    if parameter.kind is Parameter.VAR_POSITIONAL:
        return SequenceHint(tuple, hint)
    if parameter.kind is Parameter.VAR_KEYWORD:
        return MappingHint(dict, AnythingHint(), hint)
    return hint
