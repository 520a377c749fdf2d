"""The name that a message proposes: of a method, a function or a keyword argument."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.lsp.messages import Replacement
from shapecheck.lsp.worker.candidate import Candidate, FixTarget
from shapecheck.static.engine.places import span

CODES = frozenset(("wrong-call",))
_KEYWORD = re.compile(r'keyword argument "(?P<old>\w+)"; did you mean (?P<new>\w+)\?')
_ATTRIBUTE = re.compile(r"has no attribute (?P<old>\w+); expected (?P<new>\w+)")


def candidates(found: FixTarget) -> Iterator[Candidate]:
    """The edits for one finding."""
    message = found.diagnostic.message
    keyword, attribute = _KEYWORD.search(message), _ATTRIBUTE.search(message)
    for node in ast.walk(found.node):
        if keyword and isinstance(node, ast.keyword) and node.arg == keyword["old"]:
            line, column, _, _ = span(found.analysis.module, node)
            yield _renaming(keyword, Replacement(line, column, line, column + len(keyword["old"]), keyword["new"]))
        elif attribute and isinstance(node, ast.Attribute) and node.attr == attribute["old"]:
            _, _, line, column = span(found.analysis.module, node)
            yield _renaming(
                attribute, Replacement(line, column - len(attribute["old"]), line, column, attribute["new"])
            )


def _renaming(names: re.Match[str], edit: Replacement) -> Candidate:
    return Candidate(f"Replace {names['old']} by {names['new']}", (edit,))
