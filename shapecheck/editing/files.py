"""The files of a project as an editor sees them: unsaved text in the place of what is on disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from shapecheck.diagnostics import Diagnostic
from shapecheck.editing.line_map import LineMap
from shapecheck.project.files import display_path
from shapecheck.project.outcomes import FileOutcome
from shapecheck.project.parsing import CANNOT_PARSE, syntax_error, unreadable_file
from shapecheck.project.source import SourceError, SourceFile
from shapecheck.static.engine.edited_trees import splice
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.memo import Memo
from shapecheck.static.engine.parsed_files import ParsedFiles
from shapecheck.static.entry.checker import Checker
from shapecheck.static.entry.kept_entries import KeptEntries, moved_diagnostic
from shapecheck.static.entry.variant_findings import CODE as VARIANTS
from shapecheck.static.observing.editor_observer import EditorObserver

_MOST_QUICK = 40
"""Runs of one checker: each leaves records of the tree before."""


@dataclass(eq=False)
class Analysis:
    """A document as it was last analyzed."""

    path: Path
    checker: Checker
    watch: EditorObserver
    module: SourceModule
    outcome: FileOutcome


@dataclass(eq=False)
class EditedFiles:
    """Files with open documents. Trees of unchanged files are kept; what runs compute is kept for quick runs."""

    root: Path
    codes: frozenset[str]
    """The codes to look for."""
    libraries: Sequence[Path] = ()
    """Directories with installed libraries."""
    texts: dict[Path, bytes] = field(default_factory=dict)
    """The open documents."""
    analyses: dict[Path, Analysis] = field(default_factory=dict)
    """The last analysis of each open document that parses."""
    _parsed: ParsedFiles = field(default_factory=ParsedFiles)
    _quick_runs: int = 0

    def forget_files(self) -> None:
        """Reads every file again: files appeared, vanished or moved."""
        self._parsed = ParsedFiles()

    def failure(self, path: Path, content: bytes) -> Diagnostic | None:
        """Why the content of a document cannot be analyzed."""
        display = display_path(path)
        try:
            self._parsed.parse_ahead(SourceFile.from_bytes(content, path).text)
        except SourceError as error:
            return unreadable_file(display, error)
        except CANNOT_PARSE as error:
            return syntax_error(display, error)
        return None

    def check(self, path: Path, *, is_quick: bool) -> FileOutcome:
        """The outcome of an open document, with findings in all open documents."""
        checker = self._edited(path) if is_quick else None
        if checker is None:
            self._quick_runs = 0
            watch = EditorObserver()
            checker = self.checker(watch)
            checker.session.kept_entries = KeptEntries(watch.forget)
            outcome = checker.outcome(path, self.asked())
        else:
            outcome = self._with_variants(path, checker.outcome(path, self.asked()))
        observer = checker.session.watch
        module = checker.project.load(path)
        if module is not None and isinstance(observer, EditorObserver):
            self.analyses[path] = Analysis(path, checker, observer, module, outcome)
        return outcome

    def checker(self, watch: EditorObserver | None = None) -> Checker:
        """A new checker, which has only the trees of unchanged files."""
        files = [one for one in self.texts if os.path.isfile(one)]  # noqa: PTH113 - Path's may raise
        checker = Checker(files, [self.root], self.codes, watch, self.libraries, self._parsed)
        checker.project.replaced = self._replaced()
        return checker

    def asked(self) -> set[str]:
        """The displayed paths of the documents in which findings are reported."""
        return {display_path(one) for one in self.texts}

    def importers(self, path: Path) -> list[Path]:
        """The other open documents whose last analysis has read a file."""
        return [
            one
            for one, analysis in self.analyses.items()
            if one != path and one in self.texts and analysis.checker.project.has_loaded(path)
        ]

    def _replaced(self) -> dict[str, bytes]:
        return {os.path.realpath(path): text for path, text in self.texts.items()}

    def _edited(self, path: Path) -> Checker | None:
        """The last checker of a document, which runs only what an edit is about; None if there is none."""
        last = self.analyses.get(path)
        if last is None or self._quick_runs >= _MOST_QUICK:
            return None
        self._quick_runs += 1
        checker, session = last.checker, last.checker.session
        checker.project.replaced = self._replaced()
        checker.project.forget(path)
        session.forget(last.module)
        session.memo = Memo()
        session.has_variants = False
        module = checker.project.load(path)
        if module is None or not isinstance(session.kept_entries, KeptEntries):
            return None
        moved = LineMap(last.module.source.lines, module.source.lines)
        change = splice(last.module.tree, module.tree, last.module.source.lines, module.source.lines)
        affected = change.affected if change.is_limited else change.same
        session.kept_entries.begin(change.same, affected, display_path(path), partial(_line_now, moved))
        return checker

    def _with_variants(self, path: Path, outcome: FileOutcome) -> FileOutcome:
        """The outcome of a quick run, with what the last complete one has found with other arguments."""
        last = self.analyses[path]
        module = last.checker.project.load(path)
        if module is None:
            return outcome
        moved = partial(_line_now, LineMap(last.module.source.lines, module.source.lines))
        kept = [one for one in last.outcome.diagnostics if one.code == VARIANTS]
        now = [moved_diagnostic(one, display_path(path), moved) for one in kept]
        return replace(outcome, diagnostics=[*outcome.diagnostics, *(one for one in now if one is not None)])


def _line_now(moved: LineMap, line: int) -> int | None:
    found = moved.to_new(line - 1)
    return None if found is None else found + 1
