"""Our three ways: without running the program, while it runs, and running its models by their annotations."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import environment
from benchmarks.rivals.tool import Said, Tool, by_file, report
from benchmarks.rivals.tools.driven import under


def _reported(argv: Sequence[str], python: Path, root: Path, files: Sequence[Path]) -> Said:
    found = report([str(python), "-m", "shapecheck", *argv, "--format", "json"], root, environment())["diagnostics"]
    loud = (one for one in found if one["severity"] != "note")
    return by_file(files, ((root / one["path"], one["line"], f"{one['message']} [{one['code']}]") for one in loud))


def _check(python: Path, root: Path, files: Sequence[Path]) -> Said:
    return _reported(["check", "--no-cache", "--quiet", "."], python, root, files)


def _run(python: Path, root: Path, files: Sequence[Path]) -> Said:
    """The models of each file; what its factories make may be as large as their author's cluster."""
    targets = [f"{path.relative_to(root)}:{name}" for path in files for name in _models(path.read_text())]
    return _reported(["run", "--quiet", "--skip", "compiled,fake", *targets], python, root, files)


def _models(source: str) -> Iterator[str]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and any(getattr(one, "name", "") == "forward" for one in node.body):
            yield node.name


CHECK = Tool("shapecheck check", _check, ours=True)
CHECKED = Tool("@shapecheck.checked and guard", under("shapecheck", environment), runs=True, ours=True, every=3)
RUN = Tool("shapecheck run", _run, runs=True, ours=True, models_only=True)
