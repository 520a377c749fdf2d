"""The dimension of a softmax."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.lsp.messages import Replacement
from shapecheck.lsp.worker.candidate import Candidate, FixTarget
from shapecheck.static.engine.places import span

CODES = frozenset(("softmax-dim",))
_DIM = re.compile(r"dim=-?\d+")


def candidates(found: FixTarget) -> Iterator[Candidate]:
    """The edits for one finding."""
    call = found.node
    if isinstance(call, ast.Call):
        _, _, line, column = span(found.analysis.module, call)
        separator = ", " if call.args or call.keywords else ""
        for text in reversed(dict.fromkeys(_DIM.findall(found.diagnostic.message))):
            yield Candidate(f"Pass {text}", (Replacement(line, column - 1, line, column - 1, separator + text),))
