"""What the recorded calls of a function show: constant sizes, and sizes that are equal in every call."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from shapecheck.record.calls import OTHER, Description
from shapecheck.record.store import RecordedFunction
from shapecheck.static.observing.signature_facts import MOST_MEMBERS, CallFacts, Kind, ShapeFacts, SizeFacts, ValueFacts

_fresh = count(1)
_MISSING = "missing"
"""In the place of a value in calls without it."""
_DTYPES = {
    "float": "Float",
    "bfloat": "Float",
    "complex": "Complex",
    "bool": "Bool",
    "int": "Int",
    "uint": "UInt",
}
"""The classes of jaxtyping, by the names of dtypes without their size."""
_Column = Sequence[Description]
"""The value at one place, in each call."""
_Form = tuple[str, int]
_Vector = tuple[int | None, ...]


def dtype_class(name: str) -> str | None:
    """The class of jaxtyping for the name of a dtype."""
    return _DTYPES.get(re.sub(r"\d.*", "", name))


def recorded_facts(function: RecordedFunction) -> CallFacts:
    """The arguments and the result; sizes that vary have equal keys if they are equal in every call."""
    calls = [(dict(zip(names, arguments, strict=True)), result) for names, (arguments, result) in function.calls]
    reader = _Reader(f"in {'the' if len(calls) == 1 else f'all {len(calls)}'} recorded {_calls(len(calls))}")
    names = dict.fromkeys(name for arguments, _ in calls for name in arguments)
    arguments = {name: reader.value([one.get(name, _MISSING) for one, _ in calls]) for name in names}
    return CallFacts(arguments, reader.value([result for _, result in calls]))


def _calls(number: int) -> str:
    return "call" if number == 1 else "calls"


def dimensions(number: int) -> str:
    """`1 dimension`, `2 dimensions`."""
    return "1 dimension" if number == 1 else f"{number} dimensions"


def is_tensor(value: Description) -> bool:
    """Whether a description is that of a tensor."""
    return value is not None and not isinstance(value, str) and value[0] not in ("tuple", "list")


def _form(value: Description) -> _Form:
    """The kind of a value and, of a tuple, the number of items."""
    if is_tensor(value):
        return "tensor", 0
    if value in (None, OTHER, _MISSING):
        return OTHER, 0
    return value[0], len(value[1]) if value[0] == "tuple" else 0


def _rank_of_form(form: _Form) -> tuple[int, int]:
    """The order in which the members of a union are written."""
    return ("tensor", "list", "tuple", OTHER).index(form[0]), form[1]


class _Reader:
    """Reads the columns of one function."""

    def __init__(self, why: str) -> None:
        self._why = why
        self._known: list[tuple[list[int | None], int]] = []
        """The sizes in each call, and the key of the sizes that are equal to them."""

    def value(self, column: _Column, *, in_list: bool = False) -> ValueFacts:
        """What the values of a column have in common."""
        present = [one for one in column if one != _MISSING]
        values = [one for one in present if one is not None]
        optional = len(values) < len(present)
        if not values:
            return ValueFacts(Kind.NONE) if present else ValueFacts()
        if all(one == OTHER for one in values):
            return ValueFacts(Kind.OTHER, optional)
        if all(map(is_tensor, values)):
            return self._tensor(column, optional, in_list=in_list)
        forms = {_form(one) for one in values}
        if len(forms) > 1:
            return self._union(column, sorted(forms, key=_rank_of_form), optional, in_list=in_list)
        kind, length = forms.pop()
        if kind == "list":
            items = [item for one in values for item in one[1]]
            return ValueFacts(Kind.LIST, optional, items=(self.value(items, in_list=True),))
        columns = [_mapped(column, lambda one, index=index: one[1][index]) for index in range(length)]  # type: ignore[misc]
        return ValueFacts(Kind.TUPLE, optional, items=tuple(self.value(one, in_list=in_list) for one in columns))

    def _union(self, column: _Column, forms: Sequence[_Form], optional: bool, *, in_list: bool) -> ValueFacts:
        """The values of a column by their form, each as far as the calls have it."""
        if len(forms) > MOST_MEMBERS or (OTHER, 0) in forms:
            return ValueFacts(Kind.MIXED, optional)
        parts = [[one if one is not None and _form(one) == form else _MISSING for one in column] for form in forms]
        return ValueFacts(Kind.UNION, optional, items=tuple(self.value(one, in_list=in_list) for one in parts))

    def _tensor(self, column: _Column, optional: bool, *, in_list: bool) -> ValueFacts:
        values = [one for one in column if one is not None and one != _MISSING]
        dtypes = {dtype_class(one[0]) for one in values}
        ranks = {len(one[1]) for one in values}
        last = min(ranks)
        sizes = tuple(
            self._size(_vector(column, index if len(ranks) == 1 else index - last), in_list=in_list)
            for index in range(last)
        )
        shape = ShapeFacts(sizes) if len(ranks) == 1 else ShapeFacts((), _from_first_number(sizes))
        return ValueFacts(Kind.TENSOR, optional, shape, dtypes.pop() if len(dtypes) == 1 else None)

    def _size(self, vector: _Vector, *, in_list: bool) -> SizeFacts:
        values = {one for one in vector if one is not None}
        if len(values) == 1:
            return SizeFacts(hash((3, next(_fresh))), values.pop(), why=self._why)
        key = hash((3, next(_fresh))) if in_list else self._key(vector)
        return SizeFacts(key, is_symbolic=True, is_variable=True, why=f"equal {self._why}")

    def _key(self, vector: _Vector) -> int:
        """The key of the sizes that are equal in every call that has both, if these are not all alike."""
        for known, key in self._known:
            both = [(a, b) for a, b in zip(known, vector, strict=True) if a is not None and b is not None]
            if all(a == b for a, b in both) and len(set(both)) > 1:
                known[:] = [b if a is None else a for a, b in zip(known, vector, strict=True)]
                return key
        self._known.append((list(vector), key := hash((4, next(_fresh)))))
        return key


def _from_first_number(sizes: tuple[SizeFacts, ...]) -> tuple[SizeFacts, ...]:
    start = next((index for index, one in enumerate(sizes) if one.number is not None), len(sizes))
    return sizes[start:]


def _vector(column: _Column, index: int) -> _Vector:
    return tuple(one[1][index] if one is not None and one != _MISSING else None for one in column)


def _mapped(column: _Column, change: Callable[[Any], Description]) -> list[Description]:
    return [_MISSING if one is None or one == _MISSING else change(one) for one in column]
