"""Differences between two runs: CPU and GPU, or before and after a change.

Cases are matched by name, modules by path, checks by name, and findings by what they say of which file and module, not
by their lines, which move when a file is edited.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.compare_figures import Tolerance, differing
from shapecheck.harness.results import CaseResult, CheckResult, ModuleRecord, RunReport, Status, flat

_LAYOUT = re.compile(r" (channels_last(_3d)?|strides \([\d, ]*\))")


class DifferenceKind(str, Enum):
    """The subject of a difference."""

    ENVIRONMENT = "environment"
    CASE = "case"
    """It is only in one run."""
    OUTCOME = "outcome"
    CHECK = "check"
    FINDING = "finding"
    MODULE = "module"
    """The inputs and outputs of a module, or that only one run has it."""
    FIGURE = "figure"


@dataclass(frozen=True)
class Difference:
    """One difference. An empty string: it does not exist in that run."""

    kind: DifferenceKind
    case: str
    """Empty for what belongs to no case."""
    what: str
    """A name of the environment, a check, a module, a figure, or a finding without its line; empty for the case."""
    before: str
    after: str
    expected: bool = False
    """Whether it follows from the environments of the runs, and not from the models."""


def compare(before: RunReport, after: RunReport, tolerance: Tolerance) -> list[Difference]:
    """All differences, those of the environment first, then case by case in the order of the runs."""
    found = list(_environments(before, after))
    found += _findings("", before.diagnostics, after.diagnostics)
    same_gpu = before.environment.get("gpu") == after.environment.get("gpu")
    old, new = ({case.name: case for case in report.cases} for report in (before, after))
    for name in {**old, **new}:
        if name in old and name in new:
            found += _Pair(old[name], new[name], same_gpu).differences(tolerance)
        else:
            one, other = (side[name].outcome.value if name in side else "" for side in (old, new))
            found.append(Difference(DifferenceKind.CASE, name, "", one, other))
    return found


def important(differences: Sequence[Difference]) -> list[Difference]:
    """The differences between the models."""
    return [one for one in differences if not one.expected]


def _environments(before: RunReport, after: RunReport) -> Iterator[Difference]:
    old, new = dict(flat(before.environment)), dict(flat(after.environment))
    for name in {**old, **new}:
        if old.get(name) != new.get(name):
            yield Difference(DifferenceKind.ENVIRONMENT, "", name, old.get(name, ""), new.get(name, ""), expected=True)


def _findings(case: str, before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> Iterator[Difference]:
    old, new = (Counter(map(_without_line, diagnostics)) for diagnostics in (before, after))
    for one in {**old, **new}:
        if old[one] != new[one]:
            yield Difference(DifferenceKind.FINDING, case, one, _times(old[one]), _times(new[one]))


def _without_line(one: Diagnostic) -> str:
    module = f", in {one.module}" if one.module else ""
    return f"{one.path}{module}: {one.severity.value}: {one.message} [{one.code}]"


def _times(count: int) -> str:
    if count < 2:
        return "reported" if count else ""
    return f"reported {count} times"


@dataclass(frozen=True)
class _Pair:
    """The same case in both runs."""

    before: CaseResult
    after: CaseResult
    same_gpu: bool

    @property
    def same_device(self) -> bool:
        """Whether both were run on the same kind of device, such as `cuda:0` and `cuda:1`."""
        kinds = {case.device.partition(":")[0] for case in (self.before, self.after)}
        return len(kinds) == 1 and (self.same_gpu or kinds == {"cpu"})

    def differences(self, tolerance: Tolerance) -> Iterator[Difference]:
        """Differences of the outcome, the checks, the findings, and, if both have them, modules and costs."""
        if self.before.outcome is not self.after.outcome:
            yield self._ends("", _of_case(self.before), _of_case(self.after), DifferenceKind.OUTCOME)
        yield from self._checks()
        yield from _findings(self.before.name, self.before.diagnostics, self.after.diagnostics)
        if self.before.modules and self.after.modules:
            yield from self._modules()
        if self.before.cost is not None and self.after.cost is not None:
            for one in differing(self.before.cost, self.after.cost, tolerance):
                expected = one.of_device and not self.same_device
                yield self._difference(DifferenceKind.FIGURE, one.name, one.before, one.after, expected)

    def _checks(self) -> Iterator[Difference]:
        old, new = ({check.name: check for check in case.checks} for case in (self.before, self.after))
        for name in {**old, **new} if old and new else {}:
            one, other = old.get(name), new.get(name)
            if one is None or other is None or one.outcome is not other.outcome:
                yield self._ends(name, one, other, DifferenceKind.CHECK)

    def _ends(
        self, what: str, before: CheckResult | None, after: CheckResult | None, kind: DifferenceKind
    ) -> Difference:
        """A check that does not apply on one device and passes on the other is an expected difference."""
        outcomes = {None if one is None else one.outcome for one in (before, after)}
        expected = not self.same_device and outcomes <= {None, Status.SKIPPED, Status.PASSED}
        return self._difference(kind, what, _ended(before), _ended(after), expected)

    def _modules(self) -> Iterator[Difference]:
        old, new = ({module.path: module for module in case.modules} for case in (self.before, self.after))
        for path in {**old, **new}:
            one, other = old.get(path), new.get(path)
            if _boundary(one) != _boundary(other):
                expected = not self.same_device and _without_layouts(one) == _without_layouts(other)
                what = path or "the model"
                yield self._difference(DifferenceKind.MODULE, what, _boundary(one), _boundary(other), expected)
            if one is not None and other is not None and one.parameters != other.parameters:
                what = f"parameters of {path or 'the model'}"
                yield self._difference(DifferenceKind.FIGURE, what, f"{one.parameters:,}", f"{other.parameters:,}")

    def _difference(
        self, kind: DifferenceKind, what: str, before: str, after: str, expected: bool = False
    ) -> Difference:
        return Difference(kind, self.before.name, what, before, after, expected)


def _of_case(case: CaseResult) -> CheckResult:
    return CheckResult("", case.outcome, case.detail)


def _ended(check: CheckResult | None) -> str:
    """How a check ended, and why it did not pass; remarks about one that passed depend on the machine."""
    if check is None:
        return ""
    says_why = check.detail and check.outcome is not Status.PASSED
    return f"{check.outcome.value}: {check.detail}" if says_why else check.outcome.value


def _without_layouts(module: ModuleRecord | None) -> str:
    """The boundary without strides and memory formats, which kernels choose."""
    return _LAYOUT.sub("", _boundary(module))


def _boundary(module: ModuleRecord | None) -> str:
    if module is None:
        return ""
    if not module.calls:
        return f"{module.kind}, not called"
    return f"{module.kind}: {', '.join(module.inputs) or '()'} -> {', '.join(module.outputs) or '()'}"
