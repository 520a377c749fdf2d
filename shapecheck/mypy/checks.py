"""Findings of `shapecheck check` in a mypy run: when they are computed, for which files, and how they are reported."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from mypy.build import BuildManager
from mypy.checker import TypeChecker
from mypy.errors import Errors
from mypy.nodes import Block, Context, MypyFile
from mypy.options import Options

from shapecheck.config import ConfigError
from shapecheck.diagnostics import Diagnostic
from shapecheck.mypy import daemon
from shapecheck.mypy.concurrent import CheckedFile, Concurrent
from shapecheck.mypy.findings import FindingsProvider, codes_name
from shapecheck.mypy.late_files import LateFiles
from shapecheck.mypy.report import report, report_failure
from shapecheck.mypy.selections import Selections
from shapecheck.mypy.unchanged import Unchanged
from shapecheck.selection import Selection


class MypyRun(NamedTuple):
    """What a plugin has: the running mypy, and what earlier runs have stored."""

    options: Options
    build: BuildManager | None
    roots: list[str]
    unchanged: Unchanged
    late: LateFiles
    log: str
    """The file with findings; empty if none is kept."""
    began: float
    """When the run began."""


class Checks:
    """One for each plugin, that is for each process of mypy."""

    def __init__(self, around: MypyRun, modules: dict[str, MypyFile]) -> None:
        options = around.options
        self._around = around
        self._options = options
        self._build = around.build
        self._is_daemon = options.fine_grained_incremental
        self._keeps_dependencies = options.fine_grained_incremental or options.cache_fine_grained
        self._is_alone = not self._is_daemon and not options.num_workers and around.build is not None
        self._findings = FindingsProvider(options, around.roots, around.log)
        self._chosen = Selections()
        self.modules = modules
        """mypy's table of modules, which mypy fills later."""
        self._count = 0

    @cached_property
    def _concurrent(self) -> Concurrent | None:
        """The requests to the second process, if this one checks all files, once."""
        if self._build is None or not self._is_alone:
            return None
        return Concurrent(self._findings, self._build, self._around.late, self._around.began)

    def config_data(self, path: str, module: str, *, is_check: bool) -> Any:
        """What the incremental cache stores with a module, which is checked again if that has changed."""
        data = self._stored(path, module)
        if self._concurrent is not None:
            records = [*self._findings.new_records(), *self._chosen.new_records()]
            self._around.unchanged.add(path, module, data, records)
            if is_check and self._concurrent.is_outdated(path):
                return ["checked again for findings that were not ready", data]
        return data

    def _stored(self, path: str, module: str) -> Any:
        try:
            if not self._findings.may_be_in(path):
                return None
            selection = self._selections(path, self._options.clone_for_module(module))
            whole = Path(path).absolute()
            severities = sorted(f"{code} {severity.value}" for code, severity in selection.severities(whole).items())
            return [self._findings.digest(path), codes_name([*selection.active(whole), *severities])]
        except ConfigError as error:
            return str(error)

    def parsed(self, file: MypyFile) -> None:
        """A file was parsed."""
        if self._is_daemon:
            self._findings.refresh()
            if _is_source(file) and _is_checked(file):
                daemon.plant(file)
        elif self._concurrent is not None and self._is_reported_file(file) and self._findings.may_be_in(file.path):
            with suppress(ConfigError):
                selection = self._selections(file.path, self._options.clone_for_module(file.fullname))
                self._concurrent.parsed(file.path, selection.wanted())

    def checked(self, file: MypyFile) -> None:
        """A file was type-checked, and is about to be written to the cache."""
        if self._keeps_dependencies and _is_source(file):
            daemon.follow(file)
        if self._is_daemon or self._build is None:
            return
        if _is_checked(file) and self._findings.may_be_in(file.path):
            self._report(self._build.errors, file)
        if self._concurrent is not None:
            self._concurrent.checked(file.path)

    def passed(self, checker: object, context: Context) -> None:
        """The daemon has reached an attribute; at ours, it is checking the top level of a file."""
        if isinstance(checker, TypeChecker) and daemon.is_planted(context):
            if len(self.modules) != self._count:  # a file was removed, for which there is no hook
                self._count = len(self.modules)
                self._findings.refresh()
            daemon.publish(checker.tree, self._findings.digest(checker.tree.path))
            self._report(checker.errors, checker.tree)

    def _is_reported_file(self, file: MypyFile) -> bool:
        return self._build is not None and file.path not in self._build.errors.ignored_files

    def _report(self, errors: Errors, file: MypyFile) -> None:
        path: str = file.path
        if path in errors.ignored_files or errors.file != path:
            return
        try:
            selection = self._selections(path, errors.options)
            found = self._found(errors, file, selection)
            report(errors, selection.judged(found))
        except ConfigError as error:
            report_failure(errors, str(error))
        except Exception as fault:  # mypy must continue after any error
            report_failure(errors, f"{type(fault).__name__} in {path}: {fault}")

    def _found(self, errors: Errors, file: MypyFile, selection: Selection) -> list[Diagnostic]:
        if self._concurrent is None:
            return self._findings.of(file.path, selection.wanted())
        return self._concurrent.findings(CheckedFile(file.path, file.fullname, errors.options, selection))

    def _selections(self, path: str, options: Options) -> Selection:
        return self._chosen.selection(path, options)


def _is_source(file: MypyFile) -> bool:
    return not file.is_stub and bool(file.path)


def _is_checked(file: MypyFile) -> bool:
    """Whether it is neither empty nor excluded by a `# type: ignore` on its first line, for mypy one dead block."""
    return any(not (isinstance(statement, Block) and statement.is_unreachable) for statement in file.defs)
