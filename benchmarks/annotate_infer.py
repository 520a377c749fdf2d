"""Counts the forwards that `shapecheck run --infer` runs: `--infer` of benchmarks.annotate.

A forward counts if it runs in a case that gives a result, as the case itself or as one of its modules. The runs are on
the device `fake`, which computes nothing; if a forward is missing then, on the CPU, too.
"""

from __future__ import annotations

import ast
import json
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import measure
from shapecheck.annotate.planning import FunctionNode, functions_of
from shapecheck.project.files import find_files

DEVICES = ("fake", "cpu")
_WITHOUT_LIBRARIES = "from benchmarks.absent_libraries import replace_absent_libraries\nreplace_absent_libraries()\n"
_SECONDS = 3600
"""For one command."""


@dataclass
class Ran:
    """The forwards of some files, and those that run."""

    forwards: dict[tuple[str, int], str] = field(default_factory=dict)
    """The name of each, by its file and its line."""
    alone: set[tuple[str, int]] = field(default_factory=set)
    """Those that run with inputs of their own."""
    inside: set[tuple[str, int]] = field(default_factory=set)
    """Those that run, as a part of another model or alone."""
    reasons: dict[tuple[str, int], str] = field(default_factory=dict)
    """Why others do not run."""
    problems: list[str] = field(default_factory=list)

    def add(self, other: Ran) -> None:
        self.forwards |= other.forwards
        self.alone |= other.alone
        self.inside |= other.inside

    def __str__(self) -> str:
        total = max(len(self.forwards), 1)
        return f"{len(self.forwards)} forwards, {len(self.inside) / total:.0%} run, {len(self.alone) / total:.0%} alone"

    def missing(self) -> Iterator[str]:
        """A line for each forward that does not run, and for each command that failed."""
        for place, name in self.forwards.items():
            if place not in self.inside:
                yield f"  {place[0]}:{place[1]}: {name}: {self.reasons.get(place, 'not listed')}"
        yield from (f"  {one}" for one in self.problems)


def inferred_runs(path: Path, libraries: Sequence[Path], jobs: int, seconds: int = 60) -> Ran:
    """Runs the models under a path; `seconds` is the limit of a case."""
    files = [one.resolve() for one in find_files([path], (), True).files]
    found = Ran(dict(_forwards(files)))
    folder = path.resolve() if path.is_dir() else path.resolve().parent
    for device in DEVICES:
        if found.forwards.keys() <= found.inside:
            break
        options = ["--check", "contract", "--device", device, "--timeout", str(seconds), "--jobs", str(jobs)]
        report = reported(["run", "--infer", "--quiet", *options, str(path.resolve())], folder, libraries)
        if report is None:
            found.problems.append(f"run on {device} gave no report")
            continue
        said = {one.get("case", ""): one["message"] for one in reversed(report["diagnostics"])}
        for case in report["cases"]:
            _note(found, case, folder, said.get(case["name"], case["outcome"]))
    return found


def reported(command: Sequence[str], folder: Path, libraries: Sequence[Path]) -> dict[str, Any] | None:
    """The report of a command, in a folder; libraries that are not installed are empty modules."""
    with tempfile.TemporaryDirectory() as made:
        Path(made, "sitecustomize.py").write_text(_WITHOUT_LIBRARIES)
        paths = ":".join(map(str, (made, measure.ROOT, *libraries)))
        environment = measure.environment({"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"})
        argv = [*measure.SHAPECHECK, *command, "--format", "json"]
        try:
            ran = subprocess.run(
                argv, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=_SECONDS
            )
            report: dict[str, Any] = json.loads(ran.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            return None
    return report


def _forwards(files: Iterable[Path]) -> Iterator[tuple[tuple[str, int], str]]:
    """The forwards of classes that do more than to raise an exception."""
    for file in files:
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node, name in functions_of(tree).items():
            if name.endswith(".forward") and is_concrete(node):
                yield (str(file), node.lineno), name


def is_concrete(node: FunctionNode) -> bool:
    """Whether a forward does more than to raise an exception."""
    return any(not isinstance(one, (ast.Raise, ast.Expr, ast.Pass)) for one in node.body)


def _note(found: Ran, case: Mapping[str, Any], folder: Path, finding: str) -> None:
    """Adds the forwards of one case, or why it gives no result: its detail, or its first finding."""
    modules = [((str((folder / one["file"]).resolve()), one["line"]), one) for one in case["modules"] if one["file"]]
    if case["outputs"]:
        found.inside |= {place for place, one in modules if one["calls"]} & found.forwards.keys()
        found.alone |= {place for place, one in modules if not one["path"]} & found.forwards.keys()
        return
    own = case["name"].rpartition(":")[2]
    why = case["detail"] or finding
    file = str((folder / case["path"]).resolve())
    for place, name in found.forwards.items():
        if place[0] == file and name.partition(".")[0] == own:
            found.reasons[place] = why.splitlines()[0]
