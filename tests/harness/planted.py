"""What is planted in a file of models, and what is found there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shapecheck.diagnostics import Severity
from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.results import CaseResult, Status
from shapecheck.harness.run_options import RunOptions

MODELS = Path(__file__).parent / "models"
_PLANTED = re.compile(r"# planted: ([\w-]+)")
_UNBUILT = re.compile(r"# unbuilt$")
_TOP = re.compile(r"class |def |@")


class Model(NamedTuple):
    """A case of a file of models, with the line and code of each fault in it."""

    file: Path
    name: str
    wanted: frozenset[tuple[int, str]]
    is_built: bool = True


def models() -> Iterator[Model]:
    """All cases of all files."""
    for file in sorted(MODELS.glob("[a-z]*.py")):
        lines = file.read_text(encoding="utf-8").splitlines()
        for case in list_cases(target(file)):
            of_it = list(_lines_of(lines, case.line))
            planted = {(number, found[1]) for number, line in of_it if (found := _PLANTED.search(line))}
            yield Model(file, case.name, frozenset(planted), not any(_UNBUILT.search(line) for _, line in of_it))


def _lines_of(lines: list[str], first: int) -> Iterator[tuple[int, str]]:
    """The lines of the class or function that starts at one, its decorators among them."""
    is_begun = False
    for number, line in enumerate(lines[first - 1 :], first):
        if is_begun and _TOP.match(line):
            return
        is_begun = is_begun or line.startswith(("class", "def"))
        yield number, line


def target(file: Path) -> Target:
    """A file of models as what a run is asked for."""
    return Target(file, f"models.{file.stem}", MODELS.parent)


def examined(model: Model) -> CaseResult:
    """The case after all checks but torch.compile, which takes longer than all others and has a file of its own."""
    options = RunOptions(checks=("compiled",)) if model.file.stem == "compiled" else RunOptions(skip=("compiled",))
    return examine(target(model.file), model.name, options)


def found_in(result: CaseResult) -> frozenset[tuple[int, str]]:
    """Line and code of what was found; of the notes, only those about sizes."""
    return frozenset(
        (one.line, one.code)
        for one in result.diagnostics
        if one.severity is not Severity.NOTE or one.code == "pinned-size"
    )


def is_unbuilt(result: CaseResult) -> bool:
    """Whether there was nothing to run."""
    return result.outcome is Status.UNBUILT


def examined_alone(directory: Path, source: str, check: str) -> CaseResult:
    """The only case of a module with this source, after one check. The name of the module is that of its directory."""
    name = f"net_{directory.name.replace('-', '_')}"
    file = directory / f"{name}.py"
    file.write_text(source, encoding="utf-8")
    module = Target(file, name, directory)
    (case,) = list_cases(module)
    return examine(module, case.name, RunOptions(checks=(check,)))
