"""The types that annotations are read as; what says nothing of tensors is `AnyType`."""

from __future__ import annotations

from dataclasses import dataclass

from shapecheck.spec import Annotation
from shapecheck.static.domain.values import ClassValue, Value


@dataclass(frozen=True, slots=True)
class AnyType:
    """Nothing that matters to shapes, or nothing that can be read."""


@dataclass(frozen=True, slots=True)
class PlainType:
    """A number, a text or None: `int`, `str`, `None`."""

    type: type


@dataclass(frozen=True, slots=True)
class LiteralType:
    """One of a few constants."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class TensorType:
    """One tensor; `has_axes` is false for a plain `torch.Tensor`, which matches every tensor."""

    annotation: Annotation
    has_axes: bool = True


@dataclass(frozen=True, slots=True)
class UnionOf:
    """A union."""

    members: tuple[AnnotationType, ...]


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple of known length."""

    items: tuple[AnnotationType, ...]


@dataclass(frozen=True, slots=True)
class SequenceOf:
    """A list, set, iterator or tuple of any length (`mapping`: a dict) with items (values) of one type.

    tensors: whether a tensor is one too, as it is an `Iterable`.
    """

    item: AnnotationType
    mapping: bool = False
    tensors: bool = False


@dataclass(frozen=True, slots=True)
class InstanceOf:
    """An object of a class of the project."""

    cls: ClassValue


AnnotationType = AnyType | PlainType | LiteralType | TensorType | UnionOf | TupleOf | SequenceOf | InstanceOf

ANYTHING = AnyType()
NONE = PlainType(type(None))


def parts(kind: AnnotationType) -> tuple[AnnotationType, ...]:
    """The types that a type is made of."""
    if isinstance(kind, UnionOf):
        return kind.members
    if isinstance(kind, TupleOf):
        return kind.items
    return (kind.item,) if isinstance(kind, SequenceOf) else ()


def annotations_in(kind: AnnotationType) -> list[Annotation]:
    """The annotations of tensors anywhere in a type, those of the fields of objects apart."""
    if isinstance(kind, TensorType):
        return [kind.annotation]
    return [found for part in parts(kind) for found in annotations_in(part)]


def union_of(members: list[AnnotationType]) -> AnnotationType:
    """The union, flat; Anything where a member is."""
    flat = [one for member in members for one in (member.members if isinstance(member, UnionOf) else (member,))]
    if ANYTHING in flat:
        return ANYTHING
    return flat[0] if len(flat) == 1 else UnionOf(tuple(flat))
