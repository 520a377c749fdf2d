"""The types that annotations are read as; what says nothing of tensors is `Anything`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shapecheck.spec import Annotation
from shapecheck.static.domain.values import ClassValue


@dataclass(frozen=True, slots=True)
class Anything:
    """Nothing that matters to shapes, or nothing that can be read."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A number, a text or None: `int`, `str`, `None`."""

    type: type


@dataclass(frozen=True, slots=True)
class Literal:
    """One of a few constants."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor; `has_axes` is false for a plain `torch.Tensor`, which matches every tensor."""

    annotation: Annotation
    has_axes: bool = True


@dataclass(frozen=True, slots=True)
class Either:
    """A union."""

    members: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A tuple of known length."""

    items: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Many:
    """A list, set, iterator or tuple of any length (`mapping`: a dict) with items (values) of one type.

    tensors: whether a tensor is one too, as it is an `Iterable`.
    """

    item: Kind
    mapping: bool = False
    tensors: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """An object of a class of the project."""

    cls: ClassValue


Kind = Anything | Plain | Literal | Tensor | Either | Row | Many | Made

ANYTHING = Anything()
NONE = Plain(type(None))


def parts(kind: Kind) -> tuple[Kind, ...]:
    """The types that a type is made of."""
    if isinstance(kind, Either):
        return kind.members
    if isinstance(kind, Row):
        return kind.items
    return (kind.item,) if isinstance(kind, Many) else ()


def annotations_in(kind: Kind) -> list[Annotation]:
    """The annotations of tensors anywhere in a type, those of the fields of objects apart."""
    if isinstance(kind, Tensor):
        return [kind.annotation]
    return [found for part in parts(kind) for found in annotations_in(part)]


def either(members: list[Kind]) -> Kind:
    """The union, flat; Anything where a member is."""
    flat = [one for member in members for one in (member.members if isinstance(member, Either) else (member,))]
    if ANYTHING in flat:
        return ANYTHING
    return flat[0] if len(flat) == 1 else Either(tuple(flat))
