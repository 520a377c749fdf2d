"""How often `check` evaluates code: figures that do not depend on the machine.

    python -m benchmarks.evaluations PATH...      # JSON

An evaluation is one run of the rule of an expression or a statement (`EXPRESSIONS` and `STATEMENTS` of
`shapecheck.static.engine.dispatch`), in a run of `check` with one process and without its cache. A call whose result
is reused evaluates nothing. The share of re-execution is the part of the evaluations that are not the first of their
node: 0 if every expression and every statement is evaluated at most once.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import shapecheck.static.entry.registration  # noqa: F401 - fills the dispatch table
from shapecheck.static.engine.dispatch import EXPRESSIONS, STATEMENTS


@dataclass(slots=True)
class Evaluations:
    """Counts of one run."""

    evaluations: int = 0
    nodes: int = 0
    """The different expressions and statements that were evaluated."""

    def per_line(self, lines: int) -> float:
        return self.evaluations / max(lines, 1)

    @property
    def repeated(self) -> float:
        """The share of re-execution."""
        return 1 - self.nodes / max(self.evaluations, 1)

    def __add__(self, other: Evaluations) -> Evaluations:
        return Evaluations(self.evaluations + other.evaluations, self.nodes + other.nodes)


@contextmanager
def counting() -> Iterator[Evaluations]:
    """Counts the evaluations inside; the counts are complete at the end."""
    counts: dict[ast.AST, None] = {}
    found = Evaluations()
    tables: tuple[dict[Any, Callable[..., Any]], ...] = (EXPRESSIONS, STATEMENTS)
    before = [dict(table) for table in tables]

    def counted(rule: Callable[..., Any]) -> Callable[..., Any]:
        def run(of: object, node: ast.AST) -> Any:
            found.evaluations += 1
            counts[node] = None
            return rule(of, node)

        return run

    for table in tables:
        table.update({kind: counted(rule) for kind, rule in table.items()})
    try:
        yield found
    finally:
        found.nodes = len(counts)
        for table, rules in zip(tables, before, strict=True):
            table.update(rules)


def main(paths: Sequence[str]) -> None:
    """Runs the command, without its output, and prints the counts."""
    from shapecheck.cli import main as command  # noqa: PLC0415 - only here, not for tests that count

    arguments = ["check", "--no-cache", "--quiet", "--jobs", "1", "--python", sys.executable, *paths]
    with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing), counting() as found:  # noqa: PTH123
        command(arguments, standalone_mode=False)
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
