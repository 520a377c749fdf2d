"""The sizes that axis names are bound to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from shapecheck.spec.dim import Size, unknown
from shapecheck.spec.shape import Shape
from shapecheck.spec.symbolic import HoleValue

BoundRun = tuple[bool, Shape]
"""The dimensions bound to `*name`, and whether that is only what they broadcast to (`*#name`)."""


class Bindings:
    """The sizes bound to the names of one call. Immutable: `match` returns a new one.

    sizes: the size of each named axis. runs: the axes of each `*name`.
    holes: the values of `{...}` in annotations, by the expressions that `Annotation.holes` lists; a hole without a
        value makes its axis unknown.
    open: pairs of sizes that must be equal for the tensors so far to match, but are not known to be.
    """

    __slots__ = ("_holes", "_open", "_runs", "_sizes")

    def __init__(
        self,
        sizes: Mapping[str, Size] | None = None,
        runs: Mapping[str, BoundRun] | None = None,
        holes: Mapping[str, HoleValue] | None = None,
        open: tuple[tuple[Size, Size], ...] = (),
    ) -> None:
        self._sizes = MappingProxyType(dict(sizes or {}))
        self._runs = MappingProxyType(dict(runs or {}))
        self._holes = MappingProxyType(dict(holes or {}))
        self._open = open

    @property
    def sizes(self) -> Mapping[str, Size]:
        """Name -> size."""
        return self._sizes

    @property
    def runs(self) -> Mapping[str, BoundRun]:
        """Name of a variadic axis -> whether it broadcasts, and its axes."""
        return self._runs

    @property
    def holes(self) -> Mapping[str, HoleValue]:
        """Expression in braces -> value."""
        return self._holes

    @property
    def open(self) -> tuple[tuple[Size, Size], ...]:
        """Pairs of sizes that must be equal and are not known to be."""
        return self._open

    def with_holes(self, holes: Mapping[str, HoleValue]) -> Bindings:
        """These bindings with more holes known."""
        return Bindings(self._sizes, self._runs, {**self._holes, **holes}, self._open)

    def _key(self) -> tuple[object, ...]:
        return (self._sizes, self._runs, self._holes, self._open)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Bindings) else NotImplemented

    def __hash__(self) -> int:
        return hash((frozenset(self._sizes.items()), frozenset(self._runs.items()), self._open))

    def __repr__(self) -> str:
        names = [f"{name}={size}" for name, size in self._sizes.items()]
        names += [f"*{name}={shape}" for name, (_, shape) in self._runs.items()]
        return f"Bindings({', '.join(names)})"


NOTHING_BOUND = Bindings()


def agreed(possible: Sequence[Bindings]) -> Bindings:
    """What several possible bindings, at least one, have in common."""
    first, *rest = possible
    return Bindings(
        {
            name: size if all(other.sizes.get(name) == size for other in possible) else unknown(name)
            for name, size in _union(bindings.sizes for bindings in possible).items()
        },
        {name: run for name, run in first.runs.items() if all(other.runs.get(name) == run for other in rest)},
        first.holes,
        tuple(pair for pair in first.open if all(pair in other.open for other in rest)),
    )


def _union(mappings: Iterable[Mapping[str, Size]]) -> dict[str, Size]:
    return {name: size for mapping in mappings for name, size in mapping.items()}
