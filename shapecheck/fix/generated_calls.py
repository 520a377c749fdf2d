"""Separates a class's generated `__call__`s, which carry a marker, from hand-written ones."""

from __future__ import annotations

import ast

from shapecheck.project.scope import Class, Function, FunctionNode
from shapecheck.project.source import SourceFile

MARKER = "# shapecheck: from forward"


def generated_nodes(cls: Class) -> list[ast.stmt]:
    """The statements of a class body that carry the marker, in source order."""
    source = cls.file.source
    return [node for node in cls.node.body if isinstance(node, (ast.If, FunctionNode)) and _is_marked(node, source)]


def has_handwritten_call(cls: Class, owned: list[ast.stmt]) -> bool:
    """Whether the class has a hand-written `__call__` in any form."""
    ours = {id(method) for node in owned for method in (node.body if isinstance(node, ast.If) else [node])}
    return any(
        not (isinstance(binding, Function) and id(binding.node) in ours)
        for binding in cls.body.names.get("__call__", ())
    )


def text_of(nodes: list[ast.stmt], source: SourceFile) -> list[str]:
    """The whole lines from the first statement to the last, without line ends."""
    first = min(_first_line(node) for node in nodes)
    last = max(node.end_lineno or node.lineno for node in nodes)
    return [line.rstrip("\r\n") for line in source.lines[first - 1 : last]]


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, FunctionNode) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _is_call(node: ast.stmt) -> bool:
    return isinstance(node, FunctionNode) and node.name == "__call__"


def _is_marked(node: ast.If | FunctionNode, source: SourceFile) -> bool:
    if isinstance(node, ast.If):
        return MARKER in source.lines[node.lineno - 1] and not node.orelse and all(map(_is_call, node.body))
    if not _is_call(node):
        return False
    head = source.lines[node.lineno - 1 : max(node.body[0].lineno - 1, node.lineno)]
    return any(MARKER in line for line in head)
