"""`pytest --shapecheck-run=models/`: each case of these models is a test, collected under the model's file."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shapecheck.harness.cases.model import Target
from shapecheck.harness.run_options import RunOptions
from shapecheck.pytest_plugin.cases import (
    MARK,
    CaseRunner,
    CollectedCase,
    cases_of,
    marks_of,
    run_options_of,
    targets_of,
)


class Collecting:
    """Adds the files of the targets to what a session collects."""

    def __init__(self, config: pytest.Config) -> None:
        given = config.getoption("shapecheck_run")
        self._is_asked = bool(given)
        texts, base = (
            (given, config.invocation_params.dir) if given else (config.getini("shapecheck_run"), config.rootpath)
        )
        self._options = run_options_of({}, config)
        self._targets: dict[Path, list[Target]] = {}
        for target in targets_of(texts, base, config):
            self._targets.setdefault(target.file, []).append(target)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """The session collects them in addition to the files and directories of the command line."""
        report = yield
        if isinstance(collector, pytest.Session) and report.passed and self._is_wanted(collector.config):
            report.result.extend(self._file(path, collector) for path in self._targets)
        return report

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """A file of a model that the command line names, as it does in `pytest models/gpt.py::GPT`."""
        if file_path in self._targets and parent.session.isinitpath(file_path):
            return self._file(file_path, parent)
        return None

    def _is_wanted(self, config: pytest.Config) -> bool:
        """Whether all are run: not if arguments name some, or other tests while the targets are from the ini file."""
        if config.args_source is not pytest.Config.ArgsSource.ARGS:
            return True
        here = config.invocation_params.dir
        named = {(here / one.partition("::")[0]).resolve() for one in config.args}
        return self._is_asked and not named & {path.resolve() for path in self._targets}

    def _file(self, path: Path, parent: pytest.Collector) -> ModelFile:
        return ModelFile.of(path, parent, self._targets[path], self._options)


class ModelFile(pytest.File):
    """A file with models."""

    targets: list[Target]
    options: RunOptions

    @classmethod
    def of(cls, path: Path, parent: pytest.Collector, targets: list[Target], options: RunOptions) -> ModelFile:
        """The node, and the cases to run in it."""
        made: ModelFile = cls.from_parent(parent, path=path)
        made.targets, made.options = targets, options
        return made

    def collect(self) -> Iterable[pytest.Item]:
        """One item for each case."""
        return [ModelItem.of(self, case, self.options) for case in cases_of(self.targets, self.config)]


class ModelItem(pytest.Item):
    """A case: it is built and run, and passes if there is no error and no warning."""

    run: CaseRunner
    funcargs: dict[str, Any]
    """No fixtures. Other plugins, such as pytest-lsp, expect the attribute, which functions and doctests have."""

    @classmethod
    def of(cls, parent: ModelFile, case: CollectedCase, options: RunOptions) -> ModelItem:
        """The node of a case, named after its class or factory; `import` if the import failed."""
        _, is_class, name = case.listed.name.partition(":")
        made: ModelItem = cls.from_parent(parent, name=name if is_class else "import")
        made.run = CaseRunner(case, options, made)
        made.funcargs = {}
        for mark in _marks(case, options):
            made.add_marker(mark)
        return made

    def runtest(self) -> None:
        """Runs it."""
        self.run()

    def reportinfo(self) -> tuple[Path, int, str]:
        """The place of the class or factory."""
        return self.path, self.run.case.listed.line - 1, self.name


def _marks(case: CollectedCase, options: RunOptions) -> Iterator[Any]:
    yield getattr(pytest.mark, MARK)
    yield from marks_of(case, options)
