"""The sizes of one call under the keys of another call, where both have the same arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from shapecheck.static.observing.signature_facts import ShapeFacts, SizeFacts, ValueFacts


class SharedKeys:
    """Keys of one call, by those of another call. Sizes that arguments of both have are the same."""

    def __init__(self, known: Mapping[str, ValueFacts], other: Mapping[str, ValueFacts]) -> None:
        self._keys: dict[int, int] = {}
        for name in known.keys() & other.keys():
            for mine, theirs in zip(_keys(known[name]), _keys(other[name]), strict=False):
                self._keys.setdefault(theirs, mine)

    def of_value(self, value: ValueFacts) -> ValueFacts:
        """The value with the keys of the first call."""
        shape = None if value.shape is None else self._of_shape(value.shape)
        return replace(value, shape=shape, items=tuple(map(self.of_value, value.items)))

    def _of_shape(self, shape: ShapeFacts) -> ShapeFacts:
        tail = None if shape.tail is None else tuple(map(self._of_size, shape.tail))
        run = 0 if shape.tail is None else self._of_key(shape.run)
        return ShapeFacts(tuple(map(self._of_size, shape.head)), tail, run)

    def _of_size(self, size: SizeFacts) -> SizeFacts:
        return size if size.number is not None else replace(size, key=self._of_key(size.key))

    def _of_key(self, key: int) -> int:
        return self._keys.get(key, hash((6, key)))


def _keys(value: ValueFacts) -> Iterator[int]:
    """The keys of the sizes of a value, from the first to the last."""
    if value.shape is not None:
        yield from (one.key for one in value.shape.head)
        if value.shape.tail is not None:
            yield value.shape.run
            yield from (one.key for one in value.shape.tail)
    for one in value.items:
        yield from _keys(one)
