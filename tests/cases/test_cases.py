"""Each bug is reported on an accepted line with the right code, and nothing is reported in the repaired program."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.diagnostics.codes import CHECKS
from shapecheck.static import check

HERE = Path(__file__).parent
CASES = {path.parent.name: json.loads(path.read_text()) for path in sorted(HERE.glob("*/case.json"))}

MISSED = {
    "069_td_target_outer_mse": "the ranks follow from the operators alone; the arguments come through a deque",
    "130_quantile_pairwise_wanted": "only the meaning of the axes tells",
    "134_scan_state_dtype": "the dtype of a value assigned by a mask is not checked",
    "143_weight_decay_mask_data": "sizes depend on the values of the labels",
    "144_labels_out_of_range": "needs the values of the labels",
    "243_amp_accumulate_loss": "the kind of number under autocast is not known",
}

FALSE_ALARMS: dict[str, str] = {}

Findings = dict[tuple[str, str], list[Diagnostic]]


def cases_but(exceptions: dict[str, str]) -> list[Any]:
    """All cases; those listed must fail, and say why."""
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=exceptions[name], strict=True))
        if name in exceptions
        else name
        for name in CASES
    ]


@pytest.fixture(scope="module")
def findings() -> Findings:
    """What is found in each program, by case and file; all are checked in one run."""
    found: Findings = defaultdict(list)
    for one in check([HERE / name / program for name in CASES for program in ("bug.py", "ok.py")]):
        if one.severity is not Severity.NOTE:
            path = Path(one.path)
            found[path.parent.name, path.name].append(one)
    return found


@pytest.mark.parametrize("name", cases_but(MISSED))
def test_the_bug_is_reported_with_its_codes_on_accepted_lines(name: str, findings: Findings) -> None:
    accepted = {CASES[name]["line"], *CASES[name]["also_lines"]}
    reported = {one.code for one in findings[name, "bug.py"] if one.line in accepted}
    assert reported == set(CASES[name]["codes"])


@pytest.mark.parametrize("name", cases_but(FALSE_ALARMS))
def test_the_repaired_program_is_clean(name: str, findings: Findings) -> None:
    assert findings[name, "ok.py"] == []


def test_the_tables_name_cases() -> None:
    assert {*MISSED, *FALSE_ALARMS} <= CASES.keys()


@pytest.mark.parametrize("name", CASES)
def test_a_case_expects_codes_that_check_has(name: str) -> None:
    assert CASES[name]["codes"]
    assert set(CASES[name]["codes"]) <= {*CHECKS}
