"""The findings of `shapecheck check` as part of a mypy run: when, in which files, and what mypy is told about them."""

from __future__ import annotations

import gc
import os
from typing import Any

from mypy.build import BuildManager
from mypy.checker import TypeChecker
from mypy.errors import Errors
from mypy.nodes import Block, Context, MypyFile
from mypy.options import Options

from shapecheck.config import ConfigError
from shapecheck.mypy import daemon
from shapecheck.mypy.chosen import Chosen
from shapecheck.mypy.findings import Findings
from shapecheck.mypy.report import report, report_trouble


class Checks:
    """One for each plugin, that is for each process of mypy."""

    def __init__(self, options: Options) -> None:
        self._is_daemon = options.fine_grained_incremental
        self._keeps_dependencies = options.fine_grained_incremental or options.cache_fine_grained
        self._findings = Findings(options)
        self._chosen = Chosen()
        self._modules: dict[str, MypyFile] = {}
        self._count = 0
        self._errors: Errors | None = None

    def known_modules(self, modules: dict[str, MypyFile]) -> None:
        """Mypy's own table of modules, which it goes on to fill."""
        self._modules = modules

    def config_data(self, path: str) -> Any:
        """What the incremental cache keeps with a module: with another value than last time, it is checked again."""
        try:
            if not self._findings.may_be_in(path):
                return None
            return [self._findings.digest(path), *sorted(self._codes(path))]
        except ConfigError as error:
            return str(error)

    def parsed(self, file: MypyFile) -> None:
        """A file was parsed."""
        if self._is_daemon:
            self._findings.refresh()
            if _is_source(file) and _is_checked(file):
                daemon.plant(file)

    def checked(self, file: MypyFile) -> None:
        """A file was type-checked, and is about to be written to the cache."""
        if self._keeps_dependencies and _is_source(file):
            daemon.follow(file)
        if self._is_daemon or not _is_checked(file) or not self._findings.may_be_in(file.path):
            return
        errors = self._reporter()
        if errors is not None:
            self._report(errors, file)

    def passed(self, checker: TypeChecker, context: Context) -> None:
        """The daemon came by an attribute; at ours, it is checking the top level of a file."""
        if daemon.is_planted(context):
            if len(self._modules) != self._count:  # a file was removed, of which no hook tells
                self._count = len(self._modules)
                self._findings.refresh()
            daemon.publish(checker.tree, self._findings.digest(checker.tree.path))
            self._report(checker.errors, checker.tree)

    def met(self, errors: Errors) -> None:
        """Some hook was called with a way to mypy's messages."""
        self._errors = errors

    def _reporter(self) -> Errors | None:
        """Where messages go. A file may have nothing that calls a hook with a way there, so the way is searched."""
        if self._errors is None:
            managers = (one for one in gc.get_referrers(self._modules) if isinstance(one, BuildManager))
            self._errors = next((manager.errors for manager in managers), None)
        return self._errors

    def _report(self, errors: Errors, file: MypyFile) -> None:
        if file.path in errors.ignored_files or errors.file != file.path:
            return
        try:
            codes = self._codes(file.path)
            report(errors, self._findings.of(file.path), codes)
        except ConfigError as error:
            report_trouble(errors, str(error))
        except Exception as fault:  # whatever it is, mypy has work to do
            report_trouble(errors, f"{type(fault).__name__} in {file.path}: {fault}")

    def _codes(self, path: str) -> frozenset[str]:
        return self._chosen.codes(os.path.dirname(os.path.abspath(path)))  # noqa: PTH100, PTH120


def _is_source(file: MypyFile) -> bool:
    return not file.is_stub and bool(file.path)


def _is_checked(file: MypyFile) -> bool:
    """Not one that is empty, or that a `# type: ignore` on its first line excludes: mypy sees one dead block then."""
    return any(not (isinstance(statement, Block) and statement.is_unreachable) for statement in file.defs)
