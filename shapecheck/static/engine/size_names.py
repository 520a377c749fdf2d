"""Names for the unknown sizes of symbolic arguments: those that docstrings and comments use."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.spec import Dim, Size, TensorSpec, unknown
from shapecheck.spec.terms import UNKNOWN, only_atom
from shapecheck.static.claims import Claim
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.substitution import substitute


class SizeNames:
    """The names that claims give to the sizes of arguments. A size gets one name at most, and proves nothing by it."""

    __slots__ = ("_claims", "_named", "_sizes")

    def __init__(self, claims: Mapping[str, Claim]) -> None:
        self._claims = {name: one for name, one in claims.items() if one.shape is not None}
        self._sizes: dict[str, Dim] = {}
        self._named: set[Dim] = set()

    def __bool__(self) -> bool:
        return bool(self._claims)

    def size(self, name: str) -> Dim:
        """The unknown size of this name."""
        if name not in self._sizes:
            self._sizes[name] = unknown(name)
            self._named.add(self._sizes[name])
        return self._sizes[name]

    def apply(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The arguments with the names of claims about those whose rank is as claimed."""
        renamed: dict[Size, Size] = {}
        if any(map(_has_compound_size, values.values())):  # its names are part of others
            return dict(values)
        for name, claim in self._claims.items():
            value = values.get(name)
            if isinstance(value, TensorSpec) and claim.shape is not None and value.rank == claim.rank:
                for size, text in zip(value.dims, claim.shape.dims, strict=True):
                    if isinstance(text, str) and text.isidentifier() and self._is_unnamed(size) and size not in renamed:
                        renamed[size] = unknown(text)
        if not renamed:
            return dict(values)
        self._named.update(one for one in renamed.values() if isinstance(one, Dim))
        return {name: substitute(one, lambda size: renamed.get(size, size)) for name, one in values.items()}

    def _is_unnamed(self, size: Size) -> bool:
        """Whether it is an unknown size, without a name of a claim."""
        atom = only_atom(size.terms) if isinstance(size, Dim) and size not in self._named else None
        return atom is not None and atom.kind == UNKNOWN


def _has_compound_size(value: Value) -> bool:
    if not isinstance(value, TensorSpec):
        return False
    sizes = (*value.shape.head, *value.shape.tail)
    return any(isinstance(one, Dim) and only_atom(one.terms) is None for one in sizes)
