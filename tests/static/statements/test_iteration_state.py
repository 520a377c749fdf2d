"""A loop of unknown length runs twice only if the first iteration leaves another state for the second one."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static.entry.checker import Checker
from shapecheck.static.observing.observer import RunObserver
from tests.static.rules.programs import HEAD, place, reported

ONCE = {
    "names assigned in each iteration": """
        def train(loader):
            for x in loader:
                y = torch.relu(x)
                z = y + 1
        """,
    "an attribute that keeps its value": """
        class State:
            def __init__(self):
                self.training = True

        def train(loader):
            state = State()
            for x in loader:
                state.training = True
                y = torch.relu(x)
        """,
    "a while loop": """
        def train(queue):
            while queue.full():
                y = torch.relu(queue.get())
        """,
}
TWICE = {
    "a sum": """
        def train(loader):
            total = 0
            for x in loader:
                total = total + torch.relu(x).sum()
        """,
    "an attribute that changes": """
        class State:
            def __init__(self):
                self.step = 0

        def train(loader):
            state = State()
            for x in loader:
                state.step = state.step + 1
                y = torch.relu(x)
        """,
    "a list that grows": """
        def train(loader):
            seen = []
            for x in loader:
                seen.append(torch.relu(x))
        """,
}


def evaluations(folder: Path, program: str) -> int:
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(program))
    watch = RunObserver()
    Checker([path], codes=(), watch=watch).findings_of(path)
    return sum(count for name, count in watch.asked.items() if "relu" in name)


@pytest.mark.parametrize(("name", "more"), [*((one, False) for one in ONCE), *((one, True) for one in TWICE)])
def test_a_loop_runs_again_if_an_iteration_changes_something(name: str, more: bool, tmp_path: Path) -> None:
    assert (evaluations(tmp_path, (ONCE | TWICE)[name]) > 1) is more


FOUND = {
    "in each iteration": """
        def train(loader):
            for x in loader:
                y = torch.zeros(3) + torch.zeros(4)  # HERE
        """,
    "in the second one": """
        def train(loader):
            state = torch.zeros(3)
            for x in loader:
                y = torch.zeros(3) + state
                if x:
                    z = torch.zeros(5) + torch.zeros(4)  # HERE
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_what_fails_in_a_loop_that_runs_once_is_reported(name: str, tmp_path: Path) -> None:
    program = FOUND[name]
    assert [line for line, _, _ in reported(tmp_path, program)] == [place(program)]
