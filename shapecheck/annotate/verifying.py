"""Checks annotated files before they are written: an annotation that leads to a new finding is dropped."""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from shapecheck.annotate.model import FunctionKey
from shapecheck.annotate.planning import functions_of
from shapecheck.annotate.reusing import Analyze, FileAnalysis, Reanalysis, Surroundings
from shapecheck.diagnostics import DEFAULT_CHECKS, REVEALED, Diagnostic
from shapecheck.project.files import display_path
from shapecheck.project.outcomes import FileOutcome
from shapecheck.project.source import split_lines
from shapecheck.static.entry.checker import Checker

_WORTH_A_PROCESS = 400_000

Key = tuple[str, str, str]


class Verifier:
    """Finds what a check of the files finds, with other content in the place of some."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._checks = Reanalysis(FileAnalysis(_start, _lost, _WORTH_A_PROCESS), surroundings)

    def findings(self, files: Sequence[Path], replaced: Mapping[Path, bytes]) -> list[Diagnostic]:
        """The findings in these files."""
        found = (one for part in self._checks.results(files, replaced) for one in part)
        return list(dict.fromkeys(one for one in found if one.code not in REVEALED))


def _start(
    files: Sequence[Path], surroundings: Surroundings, replaced: Mapping[Path, bytes]
) -> Analyze[list[Diagnostic]]:
    checker = Checker(files, surroundings.roots, DEFAULT_CHECKS, libraries=surroundings.libraries)
    checker.project.replaced = {os.path.realpath(path): content for path, content in replaced.items()}
    return partial(_checked, checker, {display_path(path) for path in files})


def _checked(checker: Checker, asked: set[str], path: Path) -> tuple[FileOutcome, list[Diagnostic]]:
    outcome = checker.outcome(path, asked)
    return outcome, outcome.diagnostics


def _lost(path: Path) -> list[Diagnostic]:
    return []


def new_findings(
    before: Iterable[Diagnostic], after: Iterable[Diagnostic], old: Mapping[str, str], new: Mapping[str, str]
) -> list[Diagnostic]:
    """The findings that the annotations cause: those at a statement that had fewer of their code before.

    old, new: the content of the changed files, by displayed path. Annotations move lines, so statements are compared.
    """
    known = Counter(_key(one, old) for one in before)
    found: list[Diagnostic] = []
    for one in after:
        key = _key(one, new)
        if known[key]:
            known[key] -= 1
        else:
            found.append(one)
    return found


def _key(one: Diagnostic, texts: Mapping[str, str]) -> Key:
    lines = split_lines(texts[one.path]) if one.path in texts else []
    text = lines[one.line - 1].strip() if one.line <= len(lines) else str(one.line)
    return one.path, one.code, text


def blamed(found: Diagnostic, texts: Mapping[str, str], written: Iterable[FunctionKey]) -> list[FunctionKey]:
    """The annotated function that a finding is about: the first that its notes name, else the one that it is in."""
    by_name = {(one.path, one.name): one for one in written}
    inside = _at(found.path, found.line, texts)
    for path, line in [*((note.path, note.line) for note in found.notes), (found.path, found.line)]:
        name = _at(path, line, texts)
        if (path, name) in by_name and ((path, name) != (found.path, inside) or line == found.line):
            return [by_name[path, name]]
    return [by_name[found.path, inside]] if (found.path, inside) in by_name else []


def _at(path: str, line: int, texts: Mapping[str, str]) -> str:
    """The qualified name of the function at a line of a file."""
    for node, name in functions_of(ast.parse(texts[path])).items() if path in texts else ():
        if min([node.lineno, *(one.lineno for one in node.decorator_list)]) <= line <= (node.end_lineno or node.lineno):
            return name
    return ""
