"""What counts as a difference between two runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.harness.compare import Difference, DifferenceKind, compare, important
from shapecheck.harness.compare_figures import Tolerance
from shapecheck.harness.results import CaseResult, CheckResult, Cost, ModuleRecord, RunReport, Status
from tests.harness.show import samples

PASSED, FAILED, SKIPPED, ENDED = Status.PASSED, Status.FAILED, Status.SKIPPED, Status.ENDED
FOUND = Diagnostic("net.py", 5, 9, 5, 20, "shape-mismatch", Severity.ERROR, "does not fit", case="net:Net", module="up")
TORCH = {"torch": "2.13.0", "gpu": "H200", "flags": {"tf32": False}}
COST = Cost(
    flops=1000, moved_bytes=4000, backward_flops=2000, seconds=0.010, mfu=0.4, bound="memory", peak_bytes=9000,
    memory={"parameters": {"float32": 400}, "activations": {"float32": 800}},
)  # fmt: skip
GIVEN, MADE = "torch.float32 (2, 3)", "torch.float32 (2, 5)"
CASE = CaseResult(
    name="net:Net", path="net.py", line=1, outcome=PASSED, device="cuda",
    checks=(CheckResult("contract", PASSED), CheckResult("autocast", SKIPPED, "no bfloat16")),
    modules=(
        ModuleRecord("", "Net", calls=1, inputs=(GIVEN,), outputs=(MADE,), parameters=100),
        ModuleRecord("up", "Linear", calls=1, inputs=(GIVEN,), outputs=(MADE,), parameters=100),
    ),
    cost=COST, diagnostics=(FOUND,),
)  # fmt: skip
UP = CASE.modules[1]


def report(case: CaseResult = CASE, environment: dict[str, Any] = TORCH) -> RunReport:
    return RunReport(environment, (case,))


def found(after: RunReport | CaseResult, before: RunReport | CaseResult = CASE) -> list[tuple[str, ...]]:
    """Kind, what, before, after, and whether it is expected, of all that differs."""
    reports = [report(one) if isinstance(one, CaseResult) else one for one in (before, after)]
    differences = compare(reports[0], reports[1], Tolerance())
    return [
        (one.kind.value, one.what, one.before, one.after, *(["expected"] if one.expected else []))
        for one in differences
    ]


def cost(**changed: Any) -> CaseResult:
    return replace(CASE, cost=replace(COST, **changed))


def cpu(**changed: Any) -> CaseResult:
    return replace(cost(**changed), device="cpu")


def checks(*outcomes: Status) -> tuple[CheckResult, ...]:
    return tuple(replace(check, outcome=outcome) for check, outcome in zip(CASE.checks, outcomes, strict=False))


@pytest.mark.parametrize(
    "same",
    [
        pytest.param(CASE, id="nothing"),
        pytest.param(replace(CASE, line=7, seconds=99.0, seed=3), id="where the class is, how long it took"),
        pytest.param(replace(CASE, diagnostics=(replace(FOUND, line=9, end_line=9, column=1),)), id="a finding moved"),
        pytest.param(replace(CASE, device="cuda:1"), id="another card of the machine"),
        pytest.param(cost(flops=1049, moved_bytes=3900), id="figures within the tolerance"),
        pytest.param(cost(seconds=0.014, mfu=0.3, peak_bytes=13_000), id="times within theirs"),
        pytest.param(cost(seconds=None, mfu=None), id="not timed"),
        pytest.param(replace(CASE, cost=None, modules=()), id="neither figures nor modules were asked for"),
    ],
)
def test_what_is_the_same(same: CaseResult) -> None:
    assert found(same) == []


def test_a_report_does_not_differ_from_itself() -> None:
    assert found(samples.report(), samples.report()) == []


@pytest.mark.parametrize(
    ("after", "differences"),
    [
        (replace(CASE, outcome=ENDED, detail="60 s"), [("outcome", "", "passed", "ended: 60 s")]),
        (replace(CASE, checks=checks(FAILED, SKIPPED)), [("check", "contract", "passed", "failed")]),
        (
            replace(CASE, checks=checks(PASSED, PASSED)),
            [("check", "autocast", "skipped: no bfloat16", "passed")],
        ),
        (replace(CASE, checks=CASE.checks[:1]), [("check", "autocast", "skipped: no bfloat16", "")]),
        (
            replace(CASE, diagnostics=()),
            [("finding", "net.py, in up: error: does not fit [shape-mismatch]", "reported", "")],
        ),
        (
            replace(CASE, diagnostics=(FOUND, replace(FOUND, line=8))),
            [("finding", "net.py, in up: error: does not fit [shape-mismatch]", "reported", "reported 2 times")],
        ),
        (
            replace(CASE, modules=(CASE.modules[0], replace(UP, outputs=("torch.float16 (2, 5)",)))),
            [("module", "up", f"Linear: {GIVEN} -> {MADE}", f"Linear: {GIVEN} -> torch.float16 (2, 5)")],
        ),
        (
            replace(CASE, modules=(CASE.modules[0], replace(UP, outputs=(f"{MADE} channels_last",)))),
            [("module", "up", f"Linear: {GIVEN} -> {MADE}", f"Linear: {GIVEN} -> {MADE} channels_last")],
        ),
        (
            replace(CASE, modules=CASE.modules[:1]),
            [("module", "up", f"Linear: {GIVEN} -> {MADE}", "")],
        ),
        (
            replace(CASE, modules=(CASE.modules[0], replace(UP, calls=0))),
            [("module", "up", f"Linear: {GIVEN} -> {MADE}", "Linear, not called")],
        ),
        (
            replace(CASE, modules=(replace(CASE.modules[0], parameters=101), UP)),
            [("figure", "parameters of the model", "100", "101")],
        ),
        (cost(flops=1060), [("figure", "FLOPs", "1.00k", "1.06k (1.06 times)")]),
        (cost(backward_flops=None), [("figure", "backward FLOPs", "2.00k", "")]),
        (cost(moved_bytes=3000), [("figure", "bytes moved", "4.00 kB", "3.00 kB (0.75 times)")]),
        (cost(flops=0), [("figure", "FLOPs", "1.00k", "0 (0.00 times)")]),
        (
            cost(memory={"parameters": {"bfloat16": 200}, "activations": {"float32": 800}}),
            [
                ("figure", "memory of parameters, float32", "400 B", ""),
                ("figure", "memory of parameters, bfloat16", "", "200 B"),
            ],
        ),
        (cost(seconds=0.016), [("figure", "time", "10.0 ms", "16.0 ms (1.60 times)")]),
        (cost(bound="math"), [("figure", "limited by", "memory", "math")]),
    ],
)  # fmt: skip
def test_what_differs(after: CaseResult, differences: list[tuple[str, ...]]) -> None:
    assert found(after) == differences


@pytest.mark.parametrize(
    ("after", "differences"),
    [
        (cpu(seconds=1.0), [("figure", "time", "10.0 ms", "1.00 s (100 times)", "expected")]),
        (cpu(mfu=0.1), [("figure", "MFU", "40.0 %", "10.0 % (0.25 times)", "expected")]),
        (cpu(bound=""), [("figure", "limited by", "memory", "", "expected")]),
        (cpu(moved_bytes=8000), [("figure", "bytes moved", "4.00 kB", "8.00 kB (2.00 times)", "expected")]),
        (cpu(flops=2000), [("figure", "FLOPs", "1.00k", "2.00k (2.00 times)")]),
        (replace(cpu(), outcome=FAILED), [("outcome", "", "passed", "failed")]),
        (
            replace(cpu(), checks=checks(PASSED, PASSED)),
            [("check", "autocast", "skipped: no bfloat16", "passed", "expected")],
        ),
        (replace(cpu(), checks=checks(SKIPPED, SKIPPED)), [("check", "contract", "passed", "skipped", "expected")]),
        (replace(cpu(), checks=checks(FAILED, SKIPPED)), [("check", "contract", "passed", "failed")]),
        (
            replace(cpu(), modules=(CASE.modules[0], replace(UP, outputs=(f"{MADE} strides (1, 2)",)))),
            [("module", "up", f"Linear: {GIVEN} -> {MADE}", f"Linear: {GIVEN} -> {MADE} strides (1, 2)", "expected")],
        ),
        (
            replace(cpu(), modules=(CASE.modules[0], replace(UP, outputs=("torch.float32 (2, 6) strides (1, 2)",)))),
            [("module", "up", f"Linear: {GIVEN} -> {MADE}", f"Linear: {GIVEN} -> torch.float32 (2, 6) strides (1, 2)")],
        ),
    ],
)
def test_another_device_explains_times_and_kernels_but_no_shapes(
    after: CaseResult, differences: list[tuple[str, ...]]
) -> None:
    assert found(after) == differences


def test_another_card_is_another_device() -> None:
    after = report(cost(seconds=1.0), {**TORCH, "gpu": "A100"})
    assert found(after) == [
        ("environment", "gpu", "H200", "A100", "expected"),
        ("figure", "time", "10.0 ms", "1.00 s (100 times)", "expected"),
    ]


def test_the_environment_is_said_but_matters_not() -> None:
    differences = compare(report(), report(CASE, {"torch": "2.14.0", "flags": {"tf32": True}}), Tolerance())
    assert [one.what for one in differences] == ["torch", "gpu", "flags.tf32"]
    assert important(differences) == []


def test_cases_and_findings_of_one_run_only() -> None:
    other = replace(CASE, name="net:Other", diagnostics=())
    trouble = replace(FOUND, case="", module="", code="unreadable-file")
    assert compare(RunReport(TORCH, (CASE,)), RunReport(TORCH, (other,), (trouble,)), Tolerance()) == [
        Difference(DifferenceKind.FINDING, "", "net.py: error: does not fit [unreadable-file]", "", "reported"),
        Difference(DifferenceKind.CASE, "net:Net", "", "passed", ""),
        Difference(DifferenceKind.CASE, "net:Other", "", "", "passed"),
    ]


def test_a_case_that_was_not_run_is_one_difference() -> None:
    left = CaseResult("net:Net", "net.py", 1, Status.UNBUILT, "no default", diagnostics=(FOUND,))
    assert found(left) == [("outcome", "", "passed", "unbuilt: no default")]


def test_tolerances_are_those_that_are_given() -> None:
    after = report(cost(flops=1060, seconds=0.016))
    assert compare(report(), after, Tolerance(0.1, 1.0)) == []
    assert len(compare(report(), report(cost(flops=1001, seconds=0.0101)), Tolerance(0.0, 0.0))) == 2
