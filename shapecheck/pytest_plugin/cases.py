"""`@pytest.mark.shapecheck_case(...)`: which models a test runs, and how."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from shapecheck.config import DEVICE, Config, ConfigError, load_config
from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.cases.configured import with_configured
from shapecheck.harness.cases.model import Target
from shapecheck.harness.cases.targets import Search, TargetError, find_targets
from shapecheck.harness.results import CaseResult, Status
from shapecheck.harness.run_options import RunOptions
from shapecheck.project.ignore import rules_from_patterns
from shapecheck.pytest_plugin.failure import failure_text
from shapecheck.pytest_plugin.marks import mark_text
from shapecheck.spec.presentation import value_text

MARK = "shapecheck_case"
_LISTED = pytest.StashKey[dict[tuple[Path, str, str, str], "list[CollectedCase]"]]()
_OPTIONS = ("device", "seed", "checks", "skip", "backend", "timed", "profile")
_USAGE = (
    'takes targets (a directory, file, module, "pkg.module:Class" or list of classes and factories) and '
    + ", ".join(f"{name}=" for name in _OPTIONS)
)


@dataclass(frozen=True)
class CollectedCase:
    """A case as it was found: `listed` is its result before the run."""

    target: Target
    listed: CaseResult

    @property
    def reason(self) -> str:
        """Why it is not run, empty if it is."""
        return self.listed.detail if self.listed.outcome in (Status.SKIPPED, Status.UNBUILT) else ""

    def run(self, options: RunOptions) -> CaseResult:
        """Runs it in this process."""
        if self.listed.outcome is not Status.PASSED:
            return self.listed
        from shapecheck.harness.in_process import examine_in_process  # noqa: PLC0415 - it imports torch

        return examine_in_process(self.target, self.listed.name, options)


class CaseRunner:
    """The value of the fixture `shapecheck_run`: runs its case when it is called."""

    def __init__(self, case: CollectedCase, options: RunOptions, item: pytest.Item) -> None:
        self.case = case
        self.options = options
        self._item = item

    @property
    def name(self) -> str:
        """The name of the case, `pkg.module:Class`."""
        return self.case.listed.name

    def __call__(self, *, fail: bool = True) -> CaseResult:
        """The result. The test fails if there are errors or warnings, unless fail is False."""
        __tracebackhide__ = True
        result = self.result
        if result.outcome in (Status.SKIPPED, Status.UNBUILT):
            raise pytest.skip.Exception(result.detail, _use_item_location=True)
        text = failure_text(result)
        if fail and text:
            pytest.fail(text, pytrace=False)
        return result

    @cached_property
    def result(self) -> CaseResult:
        """The result of the case, which is run once."""
        result = self.case.run(self.options)
        self._item.user_properties += [("shapecheck", _line(one)) for one in result.diagnostics]
        return result


def parametrise(metafunc: pytest.Metafunc) -> None:
    """One test for each case of the mark; a mark that names one class with one case does not change the test."""
    if "shapecheck_run" not in metafunc.fixturenames:
        if any(mark.name == MARK for mark in metafunc.definition.own_markers):
            pytest.fail(f"mark {MARK} requires the fixture shapecheck_run as an argument of the test", pytrace=False)
        return
    mark, config = _mark(metafunc.definition), metafunc.config
    cases, options = _cases(mark, config), _run_options(mark, config)
    if _is_single(mark) and len(cases) == 1:
        hidden = getattr(pytest, "HIDDEN_PARAM", cases[0].listed.name)  # since pytest 8.4
        parameters = [_parameter(cases[0], options, hidden)]
    else:
        parameters = [_parameter(one, options, one.listed.name) for one in cases]
    metafunc.parametrize("shapecheck_run", parameters, indirect=True)


def _parameter(case: CollectedCase, options: RunOptions, name: Any) -> Any:
    return pytest.param((case, options), id=name, marks=list(marks_of(case, options)))


def marks_of(case: CollectedCase, options: RunOptions) -> Iterator[pytest.MarkDecorator]:
    """The marks for its device, and the reason if it is skipped."""
    device = "fake" if case.listed.device == "fake" else options.device  # the declaration of a case takes precedence
    if device.startswith("cuda"):
        yield pytest.mark.gpu
    reason = case.reason or _why_no_device(device)
    if reason:
        yield pytest.mark.skip(reason=reason)


def run_of(request: pytest.FixtureRequest) -> CaseRunner:
    """The value of the fixture."""
    if not hasattr(request, "param"):
        pytest.fail(f'fixture shapecheck_run requires the mark @pytest.mark.{MARK}("pkg.module:Class")', pytrace=False)
    case, options = request.param
    return CaseRunner(case, options, request.node)


def cases_of(targets: Iterable[Target], config: pytest.Config) -> list[CollectedCase]:
    """The cases of these targets; each target is imported once."""
    listed = config.stash.setdefault(_LISTED, {})
    found: list[CollectedCase] = []
    for target in targets:
        key = target.file, target.module, target.only, target.label
        if key not in listed:
            from shapecheck.harness.in_process import cases_in_process  # noqa: PLC0415 - it imports torch

            listed[key] = [CollectedCase(target, one) for one in cases_in_process(target)]
        found += listed[key]
    return found


def targets_of(named: Iterable[str], base: Path, config: pytest.Config) -> list[Target]:
    """The targets of the strings, with paths relative to `base`. Raises UsageError if one does not exist."""
    own = configuration(config)
    search = Search(rules_from_patterns(own.root, own.exclude), own.respect_gitignore)
    try:
        return with_configured(find_targets([_absolute(one, base) for one in named], search), own)
    except TargetError as wrong:
        raise pytest.UsageError(f"shapecheck: {wrong}") from None


def configuration(config: pytest.Config) -> Config:
    """`[tool.shapecheck]` of the tested project."""
    try:
        return load_config(config.rootpath)
    except ConfigError as wrong:
        raise pytest.UsageError(f"shapecheck: {wrong}") from None


def run_options_of(said: Mapping[str, Any], config: pytest.Config) -> RunOptions:
    """The options of cases: the command line's device, the arguments of a mark, `[tool.shapecheck.run]`."""
    run = configuration(config).run
    defaults = {name: getattr(run, name) for name in _OPTIONS}
    device = config.getoption("shapecheck_device")
    options = RunOptions(**{**defaults, **said, **({"device": device} if device else {})})
    if not DEVICE.fullmatch(options.device):
        raise pytest.UsageError(f"shapecheck: expected a device cpu, cuda, cuda:N or fake, got {options.device}")
    return options


def _mark(item: pytest.Item) -> pytest.Mark:
    mark = item.get_closest_marker(MARK)
    assert mark is not None
    unknown = mark.kwargs.keys() - set(_OPTIONS)
    if unknown or not mark.args:
        pytest.fail(f"mark {MARK} {_USAGE}, got {mark_text(mark)}", pytrace=False)
    return mark


def _is_single(mark: pytest.Mark) -> bool:
    """Whether it names one class or factory."""
    named = _named(mark)
    return len(named) == 1 and (not isinstance(named[0], str) or ":" in named[0])


def _named(mark: pytest.Mark) -> list[Any]:
    """The targets; classes are in a list, because a mark that is called with a class alone decorates it."""
    return [one for given in mark.args for one in (given if isinstance(given, (list, tuple)) else [given])]


def _cases(mark: pytest.Mark, config: pytest.Config) -> list[CollectedCase]:
    found: list[CollectedCase] = []
    for one in _named(mark):
        try:
            targets = targets_of([one], config.rootpath, config) if isinstance(one, str) else [_of_object(one, config)]
        except pytest.UsageError as wrong:
            pytest.fail(str(wrong), pytrace=False)
        cases = cases_of(targets, config)
        if not cases:
            pytest.fail(f"mark {MARK}: {one} has no models", pytrace=False)
        found += cases
    return found


def _of_object(thing: Any, config: pytest.Config) -> Target:
    """The target of a class or factory."""
    name, module = getattr(thing, "__name__", ""), sys.modules.get(getattr(thing, "__module__", ""))
    if module is None or getattr(module, name, None) is not thing:
        pytest.fail(
            f"mark {MARK}: expected a class or function at the top level, got {name or value_text(thing)}",
            pytrace=False,
        )
    file = Path(module.__file__ or "")
    root = file.parents[module.__name__.count(".") + (file.name == "__init__.py")]
    return with_configured([Target(file, module.__name__, root, name)], configuration(config))[0]


def _run_options(mark: pytest.Mark, config: pytest.Config) -> RunOptions:
    said = dict(mark.kwargs)
    for name in ("checks", "skip"):
        if name in said:
            said[name] = _checks(name, said[name])
    return run_options_of(said, config)


def _checks(name: str, given: str | Iterable[str]) -> tuple[str, ...]:
    from shapecheck.harness.checks.table import all_checks  # noqa: PLC0415 - it imports torch

    names = (given,) if isinstance(given, str) else tuple(given)
    known = [check.name for check in all_checks()]
    wrong = [one for one in names if one not in known]
    if wrong:
        pytest.fail(f"mark {MARK}: {name}: unknown check {wrong[0]}; available: {', '.join(known)}", pytrace=False)
    return names


def _why_no_device(device: str) -> str:
    if not device.startswith("cuda"):
        return ""
    from shapecheck.harness.in_process import why_no_device  # noqa: PLC0415 - it imports torch

    return why_no_device(device)


def _absolute(text: str, base: Path) -> str:
    """The target with an absolute path; dotted names are unchanged."""
    path = base / text
    if path.exists():
        return str(path)
    where, colon, name = text.rpartition(":")
    return f"{base / where}:{name}" if colon and (base / where).is_file() else text


def _line(one: Diagnostic) -> str:
    return f"{one.path}:{one.line}: {one.severity.value}: {one.message} [{one.code}]"
