"""The types that annotations are parsed into; an annotation that concerns no tensors is `AnyType`."""

from __future__ import annotations

from dataclasses import dataclass

from shapecheck.spec import Annotation
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue


@dataclass(frozen=True, slots=True)
class AnyType:
    """An annotation that does not affect shapes, or that cannot be parsed."""


@dataclass(frozen=True, slots=True)
class PlainType:
    """A number, a string or None: `int`, `str`, `None`."""

    type: type


@dataclass(frozen=True, slots=True)
class LiteralType:
    """`Literal[...]`: one of these constants."""

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

    tensors: whether a tensor matches too, as for `Iterable`.
    """

    item: AnnotationType
    mapping: bool = False
    tensors: bool = False


@dataclass(frozen=True, slots=True)
class InstanceOf:
    """An instance of a class of the project."""

    cls: ClassValue


AnnotationType = AnyType | PlainType | LiteralType | TensorType | UnionOf | TupleOf | SequenceOf | InstanceOf

ANYTHING = AnyType()
NONE = PlainType(type(None))


def parts(kind: AnnotationType) -> tuple[AnnotationType, ...]:
    """The component types of a type."""
    if isinstance(kind, UnionOf):
        return kind.members
    if isinstance(kind, TupleOf):
        return kind.items
    return (kind.item,) if isinstance(kind, SequenceOf) else ()


def annotations_in(kind: AnnotationType) -> list[Annotation]:
    """The tensor annotations anywhere in a type, except in the fields of instances."""
    if isinstance(kind, TensorType):
        return [kind.annotation]
    return [found for part in parts(kind) for found in annotations_in(part)]


def union_of(members: list[AnnotationType]) -> AnnotationType:
    """The union, flattened and without duplicates; ANYTHING if a member is."""
    flat = [one for member in members for one in (member.members if isinstance(member, UnionOf) else (member,))]
    if ANYTHING in flat:
        return ANYTHING
    distinct = [one for index, one in enumerate(flat) if one not in flat[:index]]
    return distinct[0] if len(distinct) == 1 else UnionOf(tuple(distinct))
