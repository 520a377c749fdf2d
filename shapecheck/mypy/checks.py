"""Findings of `shapecheck check` in a mypy run: when they are computed, for which files, and how they are reported."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from mypy.build import BuildManager
from mypy.checker import TypeChecker
from mypy.errors import Errors
from mypy.nodes import Block, Context, MypyFile
from mypy.options import Options

from shapecheck.config import ConfigError
from shapecheck.mypy import daemon
from shapecheck.mypy.build import build_of
from shapecheck.mypy.findings import FindingsProvider, roots
from shapecheck.mypy.report import report, report_failure
from shapecheck.mypy.selections import Selections
from shapecheck.selection import Selection


class Checks:
    """One for each plugin, that is for each process of mypy."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._is_daemon = options.fine_grained_incremental
        self._keeps_dependencies = options.fine_grained_incremental or options.cache_fine_grained
        self._is_alone = not self._is_daemon and not options.num_workers
        self._chosen = Selections()
        self._modules: dict[str, MypyFile] = {}
        self._count = 0

    @cached_property
    def _build(self) -> BuildManager | None:
        return build_of(self._options)

    @cached_property
    def _findings(self) -> FindingsProvider:
        paths = self._build.search_paths if self._build is not None else None
        found = [*paths.mypy_path, *paths.python_path] if paths is not None else []
        return FindingsProvider(self._options, roots(self._options, found))

    def known_modules(self, modules: dict[str, MypyFile]) -> None:
        """Sets mypy's table of modules, which mypy fills later."""
        self._modules = modules

    def config_data(self, path: str, module: str) -> Any:
        """What the incremental cache stores with a module, which is checked again if that has changed."""
        try:
            if not self._findings.may_be_in(path):
                return None
            selection = self._selections(path, self._options.clone_for_module(module))
            whole = Path(path).absolute()
            severities = sorted(f"{code} {severity.value}" for code, severity in selection.severities(whole).items())
            return [self._findings.digest(path), *sorted(selection.active(whole)), *severities]
        except ConfigError as error:
            return str(error)

    def parsed(self, file: MypyFile) -> None:
        """A file was parsed."""
        if self._is_daemon:
            self._findings.refresh()
            if _is_source(file) and _is_checked(file):
                daemon.plant(file)
        elif (
            self._is_alone and _is_source(file) and self._is_reported_file(file) and self._findings.may_be_in(file.path)
        ):
            with suppress(ConfigError):
                selection = self._selections(file.path, self._options.clone_for_module(file.fullname))
                self._findings.expect(file.path, selection.wanted())

    def checked(self, file: MypyFile) -> None:
        """A file was type-checked, and is about to be written to the cache."""
        if self._keeps_dependencies and _is_source(file):
            daemon.follow(file)
        if self._is_daemon or not _is_checked(file) or not self._findings.may_be_in(file.path):
            return
        if self._build is not None:
            self._report(self._build.errors, file)

    def passed(self, checker: TypeChecker, context: Context) -> None:
        """The daemon has reached an attribute; at ours, it is checking the top level of a file."""
        if daemon.is_planted(context):
            if len(self._modules) != self._count:  # a file was removed, for which there is no hook
                self._count = len(self._modules)
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
            found = self._findings.of(path, selection.wanted())
            report(errors, selection.judged(found))
        except ConfigError as error:
            report_failure(errors, str(error))
        except Exception as fault:  # mypy must continue after any error
            report_failure(errors, f"{type(fault).__name__} in {path}: {fault}")

    def _selections(self, path: str, options: Options) -> Selection:
        return self._chosen.selection(path, options)


def _is_source(file: MypyFile) -> bool:
    return not file.is_stub and bool(file.path)


def _is_checked(file: MypyFile) -> bool:
    """Whether it is neither empty nor excluded by a `# type: ignore` on its first line, for mypy one dead block."""
    return any(not (isinstance(statement, Block) and statement.is_unreachable) for statement in file.defs)
