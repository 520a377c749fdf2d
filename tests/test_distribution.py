"""Each process of xdist gets whole files, one more when it has nearly done its own, and those of one that died."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.distribution import FileScheduling

TESTS = [f"tests/test_{file}.py::test_{number}" for file in "abc" for number in range(4)]


class Process(SimpleNamespace):
    """What the scheduler uses of a process: the tests that were sent to it, by position."""

    def __init__(self) -> None:
        super().__init__(shutting_down=False, sent=[], gateway=SimpleNamespace(id="gw"))

    def __hash__(self) -> int:
        return id(self)

    def send_runtest_some(self, indices: list[int]) -> None:
        self.sent += indices

    def shutdown(self) -> None:
        self.shutting_down = True


@pytest.fixture
def processes() -> list[Any]:
    return [Process(), Process()]


@pytest.fixture
def scheduling(pytestconfig: pytest.Config, processes: list[Any], monkeypatch: pytest.MonkeyPatch) -> FileScheduling:
    monkeypatch.setattr(pytestconfig.option, "tx", ["2*popen"], raising=False)
    scheduling = FileScheduling(pytestconfig)
    for process in processes:
        scheduling.add_node(process)
        scheduling.add_node_collection(process, TESTS)
    scheduling.schedule()
    return scheduling


def test_a_process_gets_the_next_file_when_two_tests_are_left(scheduling: FileScheduling, processes: list[Any]) -> None:
    one, other = processes
    assert (one.sent, other.sent) == ([0, 1, 2, 3], [4, 5, 6, 7])
    scheduling.mark_test_complete(one, 0)
    assert len(one.sent) == 4
    scheduling.mark_test_complete(one, 1)
    assert one.sent == [0, 1, 2, 3, 8, 9, 10, 11]


def test_it_ends_when_all_tests_are_done(scheduling: FileScheduling, processes: list[Any]) -> None:
    one, other = processes
    for position in (0, 1, 2, 3, 8, 9, 10, 11):
        assert not scheduling.tests_finished
        scheduling.mark_test_complete(one, position)
    for position in (4, 5, 6):
        assert not scheduling.tests_finished
        scheduling.mark_test_complete(other, position)
    assert scheduling.tests_finished  # xdist waits for the last test of each process without being asked
    scheduling.mark_test_complete(other, 7)
    assert not scheduling.has_pending


def test_a_process_does_what_one_that_died_has_left(scheduling: FileScheduling, processes: list[Any]) -> None:
    one, other = processes
    scheduling.mark_test_complete(one, 0)
    assert scheduling.remove_node(one) == TESTS[1]  # xdist reports it, and lets it run again
    for position in (4, 5, 6, 7, 8, 9, 10, 11):
        scheduling.mark_test_complete(other, position)
    assert sorted(other.sent) == list(range(1, 12))


def test_it_looks_only_at_tests_that_are_left(scheduling: FileScheduling, processes: list[Any]) -> None:
    for position in (0, 1, 2, 3):
        scheduling.mark_test_complete(processes[0], position)
    assert scheduling.assigned_work[processes[0]] == {"tests/test_c.py": dict.fromkeys(TESTS[8:], False)}
