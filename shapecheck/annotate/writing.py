"""Writes values as types: `Float[Tensor, "batch time {self.width}"]`, in tuples, lists and unions with None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from shapecheck.annotate.naming import AxisNames
from shapecheck.static.observing.signature_facts import Kind, ShapeFacts, SizeFacts, ValueFacts

ANY_DTYPE = "Shaped"


@dataclass
class TypeWriter:
    """Writes the types of one signature, and notes which names of jaxtyping they use."""

    names: AxisNames
    tensor: str
    """How the file spells `torch.Tensor`."""
    optional: str | None
    """How the file spells `typing.Optional`; None for `X | None`."""
    any: Callable[[], str]
    """How the file spells `typing.Any`."""
    union: Callable[[], str]
    """How the file spells `typing.Union`."""
    spell: Callable[[str], str]
    """How the file spells a class of jaxtyping."""
    unions: bool = False
    """Whether a union of tensors, tuples and lists is written: code that calls the function must tell them apart."""
    vague: bool = False
    """Whether a tensor of any shape is written, too."""
    used: set[str] = field(default_factory=set)

    def type_of(self, value: ValueFacts, place: str | None) -> str | None:
        """The type of a value; None if not enough is known. `place` is the argument, or None for a result."""
        text = self._plain(value, place, in_list=False)
        return self.with_none(text) if text is not None and value.is_optional else text

    def with_none(self, text: str) -> str:
        """The union of a type with None."""
        return f"{text} | None" if self.optional is None else f"{self.optional}[{text}]"

    def tensor_type(self, value: ValueFacts, place: str | None, *, in_list: bool = False) -> str | None:
        """The type of a tensor; None if nothing is known about it."""
        if value.shape is None:
            return None
        is_named = self.names.is_shared(value.shape) or self.names.is_broadcast(value.shape)
        is_open = value.shape.says_nothing and value.dtype is None and not is_named
        if is_open and not self.vague:
            return None
        name = value.dtype or ANY_DTYPE
        self.used.add(name)
        return f'{self.spell(name)}[{self.tensor}, "{self._axes(value.shape, place, in_list=in_list)}"]'

    def _plain(self, value: ValueFacts, place: str | None, *, in_list: bool) -> str | None:
        if value.kind is Kind.TENSOR:
            return self.tensor_type(value, place, in_list=in_list)
        if value.kind is Kind.NONE:
            return "None" if place is not None else None
        if value.kind is Kind.OTHER:
            return value.text or None
        if value.kind is Kind.UNION:
            return self._union(value, in_list=in_list)
        if value.kind not in (Kind.TUPLE, Kind.LIST) or not value.items:
            return None
        in_list = in_list or value.kind is Kind.LIST
        items: list[str] = []
        texts = [self._plain(one, None, in_list=in_list) for one in value.items]
        has_tensor = any(holds_tensor(one) and text for one, text in zip(value.items, texts, strict=True))
        for one, text in zip(value.items, texts, strict=True):
            if text is None and (in_list or not has_tensor):
                return None
            items.append(self.any() if text is None else self.with_none(text) if one.is_optional else text)
        return f"{value.kind.value}[{', '.join(items)}]"

    def _union(self, value: ValueFacts, *, in_list: bool) -> str | None:
        texts = [self._plain(one, None, in_list=in_list) if self.unions else None for one in value.members]
        known = [text for text in texts if text is not None]
        if len(known) < len(texts):
            return None
        return " | ".join(known) if self.optional is None else f"{self.union()}[{', '.join(known)}]"

    def _axes(self, shape: ShapeFacts, place: str | None, *, in_list: bool) -> str:
        def axis(size: SizeFacts, *indices: int) -> str:
            places = () if place is None else tuple(f"@{place}:{index}" for index in indices)
            return self.names.axis(size, places, in_list=in_list)

        if self.names.is_broadcast(shape) and not in_list:
            return as_string([self.names.broadcast()])
        rank = len(shape.head)
        if shape.tail is None:
            return as_string([axis(size, index, index - rank) for index, size in enumerate(shape.head)])
        first = [axis(size, index) for index, size in enumerate(shape.head)]
        rest = self.names.run(shape, in_list=in_list)
        last = [axis(size, index - len(shape.tail)) for index, size in enumerate(shape.tail)]
        return as_string([*first, rest, *last])


def as_string(axes: list[str]) -> str:
    """The string of an annotation. A single name has a space before it, so that linters do not take it for a name."""
    text = " ".join(axes)
    return f" {text}" if len(axes) == 1 and not text.isdigit() else text


def is_informative(value: ValueFacts) -> bool:
    """Whether something is known about a tensor in a value: about its shape, or its dtype."""
    shape = value.shape
    says_something = shape is not None and (value.dtype is not None or not shape.says_nothing)
    return says_something or any(map(is_informative, value.items))


def holds_tensor(value: ValueFacts) -> bool:
    """Whether a value is or has a tensor."""
    return value.kind is Kind.TENSOR or any(map(holds_tensor, value.items))
