"""Tuples of tensors: what operators and layers with several results return."""

from __future__ import annotations

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of


def are_results(value: Value) -> bool:
    """Whether a value is a tuple of tensors, also in tuples, such as the output and the states of an LSTM."""
    return isinstance(value, tuple) and bool(value) and all(map(_is_result, value))


def _is_result(value: Value) -> bool:
    return are_results(value) or (isinstance(value, TensorSpec) and mark_of(value) is None)


def names_of(value: Value) -> tuple[str, ...]:
    """The names of several results, such as values and indices; empty if they have none."""
    names: tuple[str, ...] = getattr(value, "_fields", ())
    return names
