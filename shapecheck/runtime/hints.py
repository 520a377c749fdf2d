"""Annotations as a tree of hints, which both the compiler and the explainer walk.

The nodes have no slots: Dynamo of torch 2.4 keeps weak references to the objects it sees when a value does not match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from shapecheck.runtime.constraints import Constraint
from shapecheck.runtime.dtypes import Dtypes
from shapecheck.spec.annotation import Annotation, AxisPattern


@dataclass(frozen=True)
class AnythingHint:
    """Matches any value."""


@dataclass(frozen=True)
class ArrayHint:
    """A tensor with these axes. `kind` is its class, None for any object with a shape and a dtype.

    `axes` matches any dtype: `dtypes` are the allowed ones, and can be those of other libraries.
    """

    axes: Annotation
    kind: type | None
    dtypes: Dtypes
    promises: tuple[Constraint, ...] = ()

    @property
    def of_torch(self) -> bool:
        """Whether only torch's tensors match, so that dtypes can be compared as objects."""
        return self.kind is not None and any(
            base.__name__ == "Tensor" and base.__module__ == "torch" for base in self.kind.__mro__
        )


@dataclass(frozen=True)
class ClassHint:
    """Not a tensor: an instance of `classes`, or if that is None, what `test` accepts. `hint` is for messages."""

    hint: object
    classes: tuple[type, ...] | None
    test: Callable[[object], bool]


@dataclass(frozen=True)
class UnionHint:
    """The first member that matches applies. `hint` is for messages, if it contains no tensors."""

    members: tuple[Hint, ...]
    hint: object = None


@dataclass(frozen=True)
class SequenceHint:
    """`list[...]`, `Sequence[...]`, `tuple[..., ...]`: every item, or only the first."""

    kind: type
    item: Hint
    first_only: bool = False


@dataclass(frozen=True)
class TupleHint:
    """`tuple[A, B]`: that number of items, each with its own hint."""

    items: tuple[Hint, ...]


@dataclass(frozen=True)
class MappingHint:
    """`dict[str, ...]`: every key and every value, or only the first."""

    kind: type
    key: Hint
    value: Hint
    first_only: bool = False


@dataclass(frozen=True)
class RecordHint:
    """A NamedTuple or a dataclass with tensors. With `alone`, its axis names are separate from the signature's."""

    kind: type
    fields: tuple[tuple[str, Hint], ...]
    alone: bool = False


Hint = AnythingHint | ArrayHint | ClassHint | UnionHint | SequenceHint | TupleHint | MappingHint | RecordHint


def children(hint: Hint) -> tuple[Hint, ...]:
    """The hints of the items or fields of a value."""
    if isinstance(hint, UnionHint):
        return hint.members
    if isinstance(hint, SequenceHint):
        return (hint.item,)
    if isinstance(hint, TupleHint):
        return hint.items
    if isinstance(hint, MappingHint):
        return (hint.key, hint.value)
    return tuple(field for _, field in hint.fields) if isinstance(hint, RecordHint) else ()


def walk(hint: Hint) -> Iterator[Hint]:
    """The hint and all below it."""
    yield hint
    for child in children(hint):
        yield from walk(child)


def has_arrays(hint: Hint) -> bool:
    """Whether the hint contains a tensor."""
    return any(isinstance(part, ArrayHint) for part in walk(hint))


def patterns(hint: Hint) -> Iterator[AxisPattern]:
    """Every axis in the hint."""
    for part in walk(hint):
        if isinstance(part, ArrayHint):
            yield from part.axes.axes
