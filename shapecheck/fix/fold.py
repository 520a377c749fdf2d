"""Folds function bodies away, so that LibCST parses and writes only what may change.

LibCST is about twelve times slower than `ast`, and most of the source of a model is method bodies that do not change.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.fix.signature import string_lines
from shapecheck.project.scope import File, FunctionNode, blocks
from shapecheck.project.source import split_lines


class Folded:
    """The text of a file with a placeholder for each function body, except for functions that contain a class."""

    def __init__(self, file: File) -> None:
        self._name = "folded_body_"
        while self._name in file.source.text:
            self._name += "_"
        self._bodies: list[str] = []
        lines = list(file.source.lines)
        for node in _functions(file.tree.body):
            self._fold(node, lines)
        self.text = self._without_form_feeds("".join(lines))

    def _without_form_feeds(self, text: str) -> str:
        """Replace form feeds, which LibCST drops, by comment lines temporarily."""
        if "\f" not in text:
            return text
        lines = split_lines(text)
        frozen = string_lines(text)
        for number, line in enumerate(lines):
            if number not in frozen and "\f" in line[: len(line) - len(line.lstrip(" \t\f"))]:
                before, _, after = line.partition("\f")
                lines[number] = f"{before}# {self._name}\n{after}"
        return "".join(lines)

    def _fold(self, node: FunctionNode, lines: list[str]) -> None:
        first = node.body[0]
        start = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", ()))])
        end = node.end_lineno or start
        opening = lines[start - 1]
        indent = opening[: len(opening) - len(opening.lstrip(" \t\f"))]
        if start == node.lineno or not opening[len(indent) :].strip() or len(indent.encode()) != first.col_offset:
            return
        last = lines[end - 1]
        newline = last[len(last.rstrip("\r\n")) :]
        body = "".join(lines[start - 1 : end])
        lines[start - 1] = f"{indent}{self._name}{len(self._bodies)}{newline}"
        lines[start:end] = [""] * (end - start)
        self._bodies.append(body.removesuffix(newline).removeprefix(indent))

    def unfold(self, text: str) -> str:
        """The text with the bodies restored."""
        text = text.replace(f"# {self._name}\n", "\f")
        return re.sub(rf"{self._name}(\d+)", lambda found: self._bodies[int(found[1])], text)


def _functions(body: list[ast.stmt]) -> Iterator[FunctionNode]:
    """The outermost functions, also in classes and blocks, except those that contain a class."""
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield from _functions(statement.body)
        elif isinstance(statement, FunctionNode):
            if not _holds_class(statement.body):
                yield statement
        else:
            for block in blocks(statement):
                yield from _functions(block)


def _holds_class(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(statement, ast.ClassDef)
        or (isinstance(statement, FunctionNode) and _holds_class(statement.body))
        or any(_holds_class(block) for block in blocks(statement))
        for statement in body
    )
