"""Checks annotated files before they are written: an annotation that leads to a new finding is dropped."""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from shapecheck.annotate.model import FunctionKey
from shapecheck.annotate.planning import functions_of
from shapecheck.diagnostics import DEFAULT_CHECKS, REVEALED, Diagnostic
from shapecheck.project.cache import Cache, CacheContents
from shapecheck.project.files import display_path
from shapecheck.project.outcomes import FileOutcome
from shapecheck.project.parallel import FileTask, run_parallel
from shapecheck.project.source import split_lines
from shapecheck.static.entry.checker import Checker

_WORTH_A_PROCESS = 400_000
_CHUNKS_A_PROCESS = 6

Key = tuple[str, str, str]


class Verifier:
    """Finds what a check of the files finds, with other content in the place of some.

    What an earlier check has found is taken over for the files that the difference cannot affect.
    """

    def __init__(self, roots: Sequence[Path], libraries: Sequence[Path], jobs: int) -> None:
        self._roots, self._libraries, self._jobs = roots, libraries, jobs
        self._known = CacheContents()

    def findings(self, files: Sequence[Path], replaced: Mapping[Path, bytes]) -> list[Diagnostic]:
        """The findings in these files."""
        content = {os.path.realpath(path): one for path, one in replaced.items()}
        cache = Cache(self._known, files, self._roots, self._libraries, content)
        known = {path: one for path in files if (one := cache.outcome(path)) is not None}
        task = FileTask(partial(_start, files, self._roots, self._libraries, content), _lost, patient=False)
        left = [path for path in files if path not in known]
        for outcome in run_parallel(task, left, self._jobs, _WORTH_A_PROCESS, _CHUNKS_A_PROCESS * self._jobs):
            known[outcome.path] = outcome
            cache.add(outcome)
        self._known = cache.known()
        found = (one for path in files for one in known[path].diagnostics)
        return list(dict.fromkeys(one for one in found if one.code not in REVEALED))


def _start(
    files: Sequence[Path], roots: Sequence[Path], libraries: Sequence[Path], replaced: Mapping[str, bytes]
) -> Callable[[Path], FileOutcome]:
    checker = Checker(files, roots, DEFAULT_CHECKS, libraries=libraries)
    checker.project.replaced = dict(replaced)
    return partial(_checked, checker, {display_path(path) for path in files})


def _checked(checker: Checker, asked: set[str], path: Path) -> FileOutcome:
    return checker.outcome(path, asked)


def _lost(path: Path) -> FileOutcome:
    return FileOutcome(path, [], whole=False)


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
