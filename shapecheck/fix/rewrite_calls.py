"""Turning `receiver.forward(...)` into `receiver(...)` at given places."""

from __future__ import annotations

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

Place = tuple[int, int, int, int]
"""First line, first column, last line, last column: lines from 1, columns from 0 in code points, the end exclusive."""


def rewrite_calls(module: cst.Module, places: set[Place]) -> cst.Module:
    """The module with the calls at these places made on the receiver itself."""
    if not places:
        return module
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    return wrapper.visit(_Rewriter(places))


class _Rewriter(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, places: set[Place]) -> None:
        super().__init__()
        self.places = places

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        found = self.get_metadata(PositionProvider, original_node)
        assert isinstance(found, CodeRange)
        place = (found.start.line, found.start.column, found.end.line, found.end.column)
        if place in self.places and isinstance(updated_node.func, cst.Attribute):
            return updated_node.with_changes(func=updated_node.func.value)
        return updated_node
