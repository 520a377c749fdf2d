from __future__ import annotations

import pytest

from shapecheck.harness.results import CheckResult, Cost, Status
from shapecheck.harness.show import figures


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"), (7, "7"), (999, "999"), (999.6, "1.00k"), (1000, "1.00k"), (12_345, "12.3k"), (999_499, "999k"),
        (999_500, "1.00M"), (70_553_706_496, "70.6G"), (2.5, "2.50"), (-1500, "-1.50k"), (3e21, "3000E"),
    ],
)  # fmt: skip
def test_count(number: float, text: str) -> None:
    assert figures.count(number) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0 B"), (512, "512 B"), (4096, "4.10 kB"), (141e9, "141 GB")])
def test_size(number: float, text: str) -> None:
    assert figures.size(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"), (3e-10, "0.30 ns"), (4.2e-8, "42.0 ns"), (0.00123, "1.23 ms"), (0.99999, "1.00 s"),
        (61.5, "61.5 s"), (99.96, "1 min 40 s"), (3601, "60 min 01 s"),
    ],
)  # fmt: skip
def test_duration(seconds: float, text: str) -> None:
    assert figures.duration(seconds) == text


def test_share() -> None:
    assert (figures.share(0.4127), figures.share(1.0)) == ("41.3 %", "100 %")


def test_checks_are_counted_in_one_order_and_what_was_ended_failed() -> None:
    done = [CheckResult("a", Status.SKIPPED), CheckResult("b", Status.ENDED), CheckResult("c", Status.PASSED)]
    assert list(figures.checks(done).items()) == [(Status.PASSED, 1), (Status.FAILED, 1), (Status.SKIPPED, 1)]


def test_memory_is_the_peak_where_that_was_measured() -> None:
    memory = {"parameters": {"float32": 40, "bfloat16": 2}, "gradients": {"float32": 40}}
    assert figures.memory(Cost(memory=memory)) == 82
    assert figures.memory(Cost(memory=memory, peak_bytes=100)) == 100
