"""The models of `mutants/`: one file for each check, with mistakes that no other check finds.

A comment `# mutant NAME: code` stands below a line of a correct model: the mutant has the code in place of that line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shapecheck.diagnostics import Severity
from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.run_options import RunOptions

MUTANTS = Path(__file__).parent / "mutants"
_MUTANT = re.compile(r"(?P<indent> +)# mutant (?P<name>\w+): (?P<code>.+)")
_CLASS = re.compile(r"class (\w+)")


class Mutant(NamedTuple):
    """A model with one mistake. check: that which finds it. model: the class. text: the whole file."""

    check: str
    name: str
    model: str
    text: str


def mutants() -> Iterator[Mutant]:
    """All mutants of all files."""
    for file in sorted(MUTANTS.glob("[a-z]*.py")):
        yield from _of_file(file.stem, file.read_text(encoding="utf-8").splitlines())


def originals() -> Iterator[Mutant]:
    """The correct models of all files."""
    for file in sorted(MUTANTS.glob("[a-z]*.py")):
        text = file.read_text(encoding="utf-8")
        for name in _CLASS.findall(text):
            if not name.startswith("_"):
                yield Mutant(file.stem, "", name, text)


def _of_file(check: str, lines: list[str]) -> Iterator[Mutant]:
    model, replaced = "", 0
    for number, line in enumerate(lines):
        begun, found = _CLASS.match(line), _MUTANT.fullmatch(line)
        if begun is not None and not begun[1].startswith("_"):
            model = begun[1]
        if found is None:
            replaced = number
        else:
            changed = [*lines[:replaced], _indent_of(lines[replaced]) + found["code"], *lines[replaced + 1 :]]
            yield Mutant(check, found["name"], model, "\n".join(changed) + "\n")


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def codes_found(mutant: Mutant, folder: Path, options: RunOptions) -> frozenset[str]:
    """The codes of the errors and warnings in the model."""
    file = folder / f"{mutant.check}_{mutant.model}_{mutant.name}.py"
    file.write_text(mutant.text, encoding="utf-8")
    target = Target(file, file.stem, folder, mutant.model)
    (case,) = list_cases(target)
    result = examine(target, case.name, options)
    assert result.outputs, result.detail
    return frozenset(one.code for one in result.diagnostics if one.severity is not Severity.NOTE)
