"""The dtypes that the operators of a function require of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from shapecheck.spec import DType, TensorSpec, as_dtype
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of

_DTYPES = tuple(map(as_dtype, ("float32", "int64", "bool")))

Findings = Callable[[Mapping[str, Value]], set[Any]]
"""What a call with these arguments finds."""


class RequiredDtypes:
    """For each argument, the only dtype that no operator refuses; each is determined once.

    `of_any` are arguments that are known to have none.
    """

    def __init__(self, of_any: Iterable[str]) -> None:
        self._known: dict[str, DType | None] = dict.fromkeys(of_any)

    def given_to(self, values: Mapping[str, Value], findings: Findings) -> dict[str, Value]:
        """The arguments with the dtypes that they must have."""
        given = dict(values)
        usual: set[Any] | None = None
        for name, value in values.items():
            if not isinstance(value, TensorSpec) or value.dtype is not None or mark_of(value) is not None:
                continue
            if name not in self._known:
                usual = findings(given) if usual is None else usual
                self._known[name] = _only_accepted(value, partial(_findings_with, findings, given, name), usual)
            given[name] = value.with_dtype(self._known[name])
        return given


def _findings_with(findings: Findings, values: Mapping[str, Value], name: str, value: TensorSpec) -> set[Any]:
    return findings({**values, name: value})


def _only_accepted(value: TensorSpec, findings: Callable[[TensorSpec], set[Any]], usual: set[Any]) -> DType | None:
    """The only dtype with which a call finds nothing more than usual; None if there are several."""
    accepted: DType | None = None
    for dtype in _DTYPES:
        if usual.issuperset(findings(value.with_dtype(dtype))):
            if accepted is not None:
                return None
            accepted = dtype
    return accepted
