"""Cold calls: functions that take many steps and meet no tensor are summarized; what they may write is unknown."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue
from shapecheck.static.engine import memo
from shapecheck.static.engine.budget import StepCost
from shapecheck.static.engine.cold_calls import Charge, ColdCalls
from shapecheck.static.engine.cold_summaries import Summary, summarize
from shapecheck.static.engine.run import Run
from tests.static.rules.programs import place, reported

SPIN = """
        def spin(n):
            total = 0
            for i in range(200):
                total += i * n
            return str(total)
        """
"""Takes more steps in one call than its calls may take in all."""


@pytest.fixture
def summarized(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions of which calls were summarized."""
    names: list[str] = []

    def noted(run: Run, function: FunctionValue, summary: Summary) -> Value:
        names.append(function.name)
        return summarize(run, function, summary)

    monkeypatch.setattr(memo, "summarize", noted)
    return names


def test_a_function_that_takes_many_steps_is_run_no_more(tmp_path: Path, summarized: list[str]) -> None:
    program = f"""
        def main():
            return spin(1), spin(2), spin(3)
        {SPIN}"""
    assert reported(tmp_path, program) == []
    assert summarized == ["spin", "spin"]


@pytest.mark.parametrize(
    "last",
    [
        "return torch.zeros(2)",
        "raise ValueError",
        "torch.zeros(total).numel()",
        "return torch.zeros(2) @ torch.zeros(3)",
    ],
)
def test_one_that_meets_a_tensor_or_fails_is_run(tmp_path: Path, summarized: list[str], last: str) -> None:
    program = f"""
        def main():
            busy(1), busy(2), busy(3)

        def busy(n):
            total = 0
            for i in range(200):
                total += i * n
            {last}
        """
    reported(tmp_path, program)
    assert summarized == []


def test_the_caller_of_a_cold_function_is_not_cold(tmp_path: Path, summarized: list[str]) -> None:
    program = f"""
        def main():
            size(1), size(2)
            return torch.zeros(size(3)) + torch.zeros(4)  # HERE

        def size(n):
            spin(n)
            return 3
        {SPIN}"""
    assert [line for line, _, _ in reported(tmp_path, program)] == [place(program)]
    assert summarized == ["spin", "spin"]


def test_a_call_with_a_tensor_among_its_arguments_is_run(tmp_path: Path, summarized: list[str]) -> None:
    program = """
        def main():
            pick(1, []), pick(2, [])
            return pick(3, [torch.zeros(3)]) + torch.zeros(4)

        def pick(n, items):
            total = 0
            for i in range(200):
                total += i * n
            return items[0] if items else None
        """
    reported(tmp_path, program)
    assert "pick" in summarized


STATE = """
        class State:
            def __init__(self):
                self.width = 4
                self.items = [1, 2, 3, 4]

            def narrow(self):
                self.width = 3
                del self.items[0]

        class Other(State):
            pass

        state = State()
        widths = [4]
        sizes = dict(width=4)
        width = 4

        def set_global():
            global width
            width = 3
        """


@pytest.mark.parametrize(
    ("write", "read"),
    [
        ("given.width = 3", "given.width"),
        ("setattr(given, 'width', 3)", "given.width"),
        ("given.narrow()", "given.width"),
        ("del given.items[0]", "len(given.items)"),
        ("found = given.items; found.pop()", "len(given.items)"),
        ("state.width = 3", "state.width"),
        ("state.narrow()", "state.width"),
        ("state.items.pop()", "len(state.items)"),
        ("widths[0] = 3", "widths[0]"),
        ("sizes.update(width=3)", "sizes['width']"),
        ("set_global()", "width"),
        ("given.items = [1, 2, 3]", "len(given.items)"),
    ],
)
@pytest.mark.parametrize("is_run_before", [True, False])
def test_what_a_cold_call_may_write_is_unknown(
    tmp_path: Path, summarized: list[str], write: str, read: str, *, is_run_before: bool
) -> None:
    """Also on a path that no earlier call has taken."""
    program = f"""
        {STATE}
        def busy(given, n, writes):
            total = 0
            for i in range(200):
                total += i * n
            if writes:
                {write}

        def main():
            before = State()
            busy(before, 1, {is_run_before})
            given = State()
            busy(given, 2, True)
            return torch.zeros(2, 3) @ torch.zeros({read}, 5)
        """
    assert reported(tmp_path, program) == []
    assert summarized == ["busy"]


def test_what_a_cold_call_does_not_write_is_known(tmp_path: Path, summarized: list[str]) -> None:
    program = f"""
        {STATE}
        def busy(given, n):
            for i in range(200):
                given.count = i * n

        def main():
            given = State()
            busy(given, 1)
            busy(given, 2)
            return torch.zeros(2, 3) @ torch.zeros(given.width, 5)  # HERE
        """
    assert [line for line, _, _ in reported(tmp_path, program)] == [place(program)]
    assert summarized == ["busy"]


def _charge(function: object, steps: int, *, is_warm: bool = False) -> Charge:
    return Charge(function, steps, frozenset(), frozenset(), is_warm=is_warm)  # type: ignore[arg-type]


def test_a_memoized_call_is_charged_once_by_each_file() -> None:
    (function,) = ast.parse("def f(): pass").body
    first = ColdCalls()
    first.charge(_charge(function, 100))
    cost = StepCost(100, {})
    first.settle(cost, 0)
    assert first.cold == set()
    first.reuse(cost)
    first.charge(_charge(function, 100))
    assert first.cold == {function}
    second = ColdCalls()
    second.reuse(cost)
    second.reuse(cost)
    assert second.cold == set()
    second.charge(_charge(function, 100))
    assert second.cold == {function}


def test_frozen_accounts_change_no_more() -> None:
    (function,) = ast.parse("def f(): pass").body
    frozen = ColdCalls().frozen()
    frozen.charge(_charge(function, 10_000))
    assert frozen.cold == set()


def test_a_function_that_meets_a_tensor_later_is_cold_no_more() -> None:
    (function,) = ast.parse("def f(): pass").body
    calls = ColdCalls()
    calls.charge(_charge(function, 10_000))
    assert calls.cold == {function}
    calls.charge(_charge(function, 1, is_warm=True))
    assert calls.cold == set()
