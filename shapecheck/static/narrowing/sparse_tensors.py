"""Narrows to sparse and nested tensors, of which nothing is known: the rules of operators are about dense tensors."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import ShapeError, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.values import ExternalReference


def without_layout(value: Value) -> Value:
    """The value, given that it is a sparse or nested tensor."""
    if not isinstance(value, TensorSpec):
        return value
    if value.layout != "unknown":
        raise ShapeError("the tensor is dense")
    return Unknown("a sparse tensor")


def is_sparse_layout(op: type[ast.cmpop], other: Value) -> bool:
    """Whether a layout that compares like this with another value is that of sparse tensors."""
    if op in (ast.NotEq, ast.IsNot):
        return other == ExternalReference("torch.strided")
    listed = other if type(other) is tuple and op is ast.In else (other,)
    if op not in (ast.Eq, ast.Is, ast.In) or not listed:
        return False
    return all(isinstance(one, ExternalReference) and one.name.startswith("torch.sparse_") for one in listed)
