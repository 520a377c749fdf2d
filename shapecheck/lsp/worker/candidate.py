"""Edits that may remove a finding."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from shapecheck.diagnostics import Diagnostic
from shapecheck.editing.files import Analysis
from shapecheck.lsp.messages import Replacement
from shapecheck.project.source import split_lines
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.places import span


@dataclass(frozen=True)
class Candidate:
    """A change of a document, and what a menu says about it."""

    title: str
    edits: tuple[Replacement, ...]


@dataclass(frozen=True)
class FixTarget:
    """A finding, and the expression that it is about."""

    analysis: Analysis
    diagnostic: Diagnostic
    node: ast.AST

    def value(self, node: ast.AST) -> Value:
        """The value of an expression; None if it was not evaluated."""
        return self.analysis.watch.values.get(node, (0, None))[1]

    def text(self, node: ast.AST) -> str:
        """The source of an expression."""
        return ast.get_source_segment(self.analysis.module.text, node) or ""

    def behind(self, node: ast.AST, text: str) -> Replacement:
        """Inserts text behind an expression."""
        _, _, line, column = span(self.analysis.module, node)
        return Replacement(line, column, line, column, text)

    def instead(self, node: ast.AST, text: str) -> Replacement:
        """Replaces an expression."""
        return Replacement(*span(self.analysis.module, node), text)

    def as_operand(self, node: ast.expr, suffix: str) -> tuple[Replacement, ...]:
        """Calls a method on an expression, in parentheses if it needs them."""
        if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            return (self.behind(node, suffix),)
        line, column, _, _ = span(self.analysis.module, node)
        return Replacement(line, column, line, column, "("), self.behind(node, f"){suffix}")


def edited(text: str, edits: Sequence[Replacement]) -> str:
    """The source after edits that do not overlap."""
    lines = split_lines(text)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(line: int, column: int) -> int:
        return min(starts[min(line - 1, len(lines))] + column - 1, len(text))

    for one in sorted(edits, key=lambda one: (one.line, one.column), reverse=True):
        text = text[: offset(one.line, one.column)] + one.text + text[offset(one.end_line, one.end_column) :]
    return text
