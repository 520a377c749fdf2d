"""The files of one configuration as an editor sees them: unsaved text in the place of what is on disk."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from shapecheck.config import Config
from shapecheck.project.environment import installed_libraries
from shapecheck.project.files import display_path
from shapecheck.project.outcomes import FileOutcome
from shapecheck.selection import Selection
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.memo import Memo
from shapecheck.static.engine.parsed_files import ParsedFiles
from shapecheck.static.entry.checker import Checker
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
class EditedProject:
    """The files of one configuration. Trees of unchanged files are kept; what runs compute is kept for quick runs."""

    config: Config
    texts: dict[Path, bytes] = field(default_factory=dict)
    """The open documents."""
    analyses: dict[Path, Analysis] = field(default_factory=dict)
    """The last analysis of each open document that parses."""
    _parsed: ParsedFiles = field(default_factory=ParsedFiles)
    _quick_runs: int = 0

    def __post_init__(self) -> None:
        self.selection = Selection(self.config)
        check = self.config.check
        python = self.config.root / check.python if check.python else None
        self.libraries = installed_libraries(python, self.config.root) if check.site_packages else []

    def forget_files(self) -> None:
        """Reads every file again: files appeared, vanished or moved."""
        self._parsed = ParsedFiles()

    def check(self, path: Path, *, is_quick: bool) -> FileOutcome:
        """The outcome of an open document, with findings in all open documents."""
        checker = self._edited(path) if is_quick else None
        if checker is None:
            self._quick_runs = 0
            checker = self.checker(EditorObserver())
        watch = checker.session.watch
        outcome = checker.outcome(path, self.asked())
        module = checker.project.load(path)
        if module is not None and isinstance(watch, EditorObserver):
            self.analyses[path] = Analysis(path, checker, watch, module, outcome)
        return outcome

    def checker(self, watch: EditorObserver | None = None) -> Checker:
        """A new checker, which has only the trees of unchanged files."""
        files = [one for one in self.texts if os.path.isfile(one)]  # noqa: PTH113 - Path's may raise
        roots = [self.config.root]
        checker = Checker(files, roots, self.selection.wanted(), watch, self.libraries, self._parsed)
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
        """The last checker of a document, which reads only the document again."""
        last = self.analyses.get(path)
        if last is None or self._quick_runs >= _MOST_QUICK:
            return None
        self._quick_runs += 1
        checker = last.checker
        checker.project.replaced = self._replaced()
        old = checker.project.forget(path)
        checker.project.problems = [one for one in checker.project.problems if one.path != display_path(path)]
        session = checker.session
        if old is not None:
            session.forget(old)
        session.memo = Memo()
        session.watch = EditorObserver()
        return checker
