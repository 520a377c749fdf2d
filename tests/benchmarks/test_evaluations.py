"""How often `check` evaluates code: what counts, and a limit for programs that are available without a network.

The limit covers small programs: the examples, a tenth of the cases, the benchmarks and einops. What large packages take
is shown by `python -m benchmarks.speed --part evaluations`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.evaluations import Evaluations, counting
from benchmarks.measure import ROOT
from benchmarks.speed import MOST_EVALUATIONS
from shapecheck.project.files import display_path
from shapecheck.static.entry.checker import Checker
from shapecheck.static.observing.observer import RunObserver

Count = Callable[[str], Evaluations]


def evaluations(files: Sequence[Path], roots: Sequence[Path], watch: RunObserver | None = None) -> Evaluations:
    checker = Checker(files, roots, watch=watch)
    asked = {display_path(path) for path in files}
    with counting() as found:
        for path in files:
            checker.outcome(path, asked)
    return found


@pytest.fixture
def count(tmp_path: Path) -> Count:
    def count(source: str) -> Evaluations:
        file = tmp_path / "program.py"
        file.write_text(source)
        return evaluations([file], [tmp_path])

    return count


def test_each_statement_and_each_expression_counts(count: Count) -> None:
    found = count("x = 1\ny = x\n")
    assert found == Evaluations(evaluations=4, nodes=4)
    assert found.repeated == 0
    assert found.per_line(2) == 2


def test_what_runs_again_counts_again_but_is_one_node(count: Count) -> None:
    once = count("for i in (1,):\n    y = i\n")
    twice = count("for i in (1, 2):\n    y = i\n")
    assert twice.evaluations == once.evaluations + 3  # one more item of the tuple, `y = i` and `i`
    assert twice.nodes == once.nodes + 1
    assert (once.repeated, twice.repeated) == (0, pytest.approx(2 / twice.evaluations))


def test_a_call_that_is_reused_evaluates_nothing(count: Count) -> None:
    function = "def f(n):\n    return n + 1\n\ndef g():\n    return f(1)\n\ndef h():\n    return {}\n"
    again, other = count(function.format("f(1)")), count(function.format("f(2)"))
    assert again.evaluations == other.evaluations - 4  # `return n + 1`, `n + 1`, `n`, `1`


def test_a_call_in_the_main_guard_is_reused(count: Count) -> None:
    program = "def f(n):\n    return n + 1\n\nif __name__ == '__main__':\n    a = f(1)\n    b = f({})\n"
    assert count(program.format(1)).evaluations == count(program.format(2)).evaluations - 4


def test_nothing_counts_after_the_end(count: Count) -> None:
    first = count("x = 1\n")
    assert count("x = 1\n") == first


def files_below(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def einops() -> Path:
    spec = find_spec("einops")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


PROGRAMS: dict[str, Callable[[], list[Path]]] = {
    "examples": lambda: files_below(ROOT / "examples"),
    "cases": lambda: [
        file for case in sorted((ROOT / "tests" / "cases").glob("[0-9]*"))[::10] for file in files_below(case)
    ],
    "benchmarks": lambda: files_below(ROOT / "benchmarks"),
    "einops": lambda: files_below(einops()),
}


@cache
def plain_evaluations(name: str) -> Evaluations:
    return evaluations(PROGRAMS[name](), [ROOT])


@pytest.mark.xfail(strict=True, reason="functions are executed path by path, and again for each entry point")
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_line_is_evaluated_a_limited_number_of_times(name: str) -> None:
    files = PROGRAMS[name]()
    lines = sum(file.read_bytes().count(b"\n") for file in files)
    assert lines > 1000
    assert plain_evaluations(name).per_line(lines) <= MOST_EVALUATIONS


NET = """\
from torch import nn


class Net(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.conv = nn.Conv2d(3, hidden, 3)

    def forward(self, {arguments}):
        {body}
"""
AGAIN = {
    "a module in which all tensors are known": ("x", "return self.conv(x)", False),
    "one with an argument of unknown rank and an optional argument": ("x, scale=None", "return scale", True),
}


@pytest.mark.parametrize(("arguments", "body", "again"), AGAIN.values(), ids=AGAIN)
def test_an_observed_module_runs_again_only_for_what_is_not_known(
    arguments: str, body: str, again: bool, tmp_path: Path
) -> None:
    file = tmp_path / "net.py"
    file.write_text(NET.format(arguments=arguments, body=body))
    plain, observed = evaluations([file], [tmp_path]), evaluations([file], [tmp_path], RunObserver())
    assert (observed.evaluations > plain.evaluations) is again


@pytest.mark.parametrize("name", ["examples", "cases", "einops"])
def test_an_observed_run_evaluates_little_more(name: str) -> None:
    """`--stats` and `--show-shapes` run some code again, if more may become known of it."""
    plain, observed = plain_evaluations(name), evaluations(PROGRAMS[name](), [ROOT], RunObserver())
    assert plain.evaluations < observed.evaluations < 1.25 * plain.evaluations
