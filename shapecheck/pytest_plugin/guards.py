"""`pytest --shapecheck=mypkg`: runs every test under a guard, and reports the violations."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from shapecheck.pytest_plugin.marks import mark_text

if TYPE_CHECKING:
    from shapecheck.runtime.guards import Violation, guard

_NAME = "shapecheck"
_KEY = "shapecheck_violations"
_GUARD = pytest.StashKey["guard"]()
_RETURNED = pytest.StashKey[bool]()


class Guards:
    """One guard per test, and the violations of all of them."""

    def __init__(self, config: pytest.Config, packages: Iterable[str]) -> None:
        self._root = config.rootpath
        self._packages = list(packages)
        rules = config.getoption("shapecheck_rules")
        self._rules = None if rules is None else [one.strip() for one in rules.split(",")]
        self._severity = "error" if config.getoption("shapecheck_strict") else None
        from shapecheck.runtime.guards.violations import Violations  # noqa: PLC0415 - only imported when needed

        self._found = Violations()
        self._tests: dict[tuple[str, int, str], list[str]] = {}
        _made(self._rules, [], self._severity)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        """Guards the fixtures. Not of a case: it provokes violations, and reports them itself."""
        if item.get_closest_marker("shapecheck_case") is not None:
            return (yield)
        mark = item.get_closest_marker(_NAME)
        options = dict(mark.kwargs) if mark is not None else {}
        unknown = options.keys() - {"allow", "rules"}
        if mark is not None and (unknown or mark.args):
            pytest.fail(f"mark shapecheck takes allow=[...] and rules=[...], got {mark_text(mark)}", pytrace=False)
        rules = options.get("rules", self._rules)
        item.stash[_GUARD] = made = _made(rules, options.get("allow", ()), self._severity)
        with made:
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Guards the test."""
        with item.stash.get(_GUARD, None) or nullcontext():
            result = yield
        item.stash[_RETURNED] = True
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Passes the violations on."""
        report = yield
        guarded = item.stash.get(_GUARD, None)
        if (
            call.when == "call"
            and call.excinfo is not None
            and guarded is not None
            and item.stash.get(_RETURNED, False)
        ):
            guarded.refused(call.excinfo.value)  # unittest does not propagate exceptions
        if call.when == "teardown" and guarded is not None:
            found = [replace(one, path=self._shown(one.path)) for one in guarded]
            setattr(report, _KEY, list(map(_plain, found)))
            report.user_properties += [(_NAME, str(one)) for one in found]
        return report

    def _shown(self, path: str) -> str:
        inside = Path(path).is_relative_to(self._root)
        return Path(path).relative_to(self._root).as_posix() if inside else path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Receives violations from this process or a worker."""
        from shapecheck.diagnostics import Severity  # noqa: PLC0415
        from shapecheck.runtime.guards import Violation  # noqa: PLC0415

        for path, line, code, severity, message, count in getattr(report, _KEY, ()):
            self._found.add(Violation(path, line, code, Severity(severity), message, count))
            self._tests.setdefault((path, line, code), []).append(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Adds the section."""
        self._summarise(terminalreporter)
        if not terminalreporter.config.pluginmanager.hasplugin("dsession"):  # only the workers of xdist import
            absent = [name for name in self._packages if name not in sys.modules]
            for name in absent:
                terminalreporter.write_line(f"{name} was never imported, so its annotations were not checked")

    def _summarise(self, terminalreporter: Any) -> None:
        lines, times = len({(one.path, one.line) for one in self._found}), sum(one.count for one in self._found)
        if not times:
            terminalreporter.write_sep("=", "shapecheck: no violations")
            return
        terminalreporter.write_sep("=", f"shapecheck: {_counted(times, 'violation')} at {_counted(lines, 'line')}")
        for one in self._found:
            terminalreporter.write_line(str(one))
            terminalreporter.write_line(f"    in {_listed(self._tests[one.path, one.line, one.code])}")


def _plain(one: Violation) -> list[str | int]:
    """The data that xdist transfers."""
    return [one.path, one.line, one.code, one.severity.value, one.message, one.count]


def _made(rules: str | Iterable[str] | None, allow: Iterable[str], severity: str | None) -> guard:
    from shapecheck.runtime.guards import guard  # noqa: PLC0415

    try:
        return guard(rules, allow=allow, severity=severity)
    except ValueError as wrong:
        raise pytest.UsageError(f"shapecheck: {wrong}") from None


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _listed(tests: list[str], most: int = 3) -> str:
    shown = ", ".join(tests[:most])
    return shown if len(tests) <= most else f"{shown} and {len(tests) - most} more"
