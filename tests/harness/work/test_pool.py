from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil
import pytest

from shapecheck.harness.work.limits import Limits
from shapecheck.harness.work.pool import Task, TaskPool, TaskResult
from tests.harness.work import programs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups are those of POSIX")

_LIMITS = Limits(seconds=3, memory_bytes=400 * 1024**2)
_SLOWLY = Limits(seconds=60, memory_bytes=200 * 1024**2, addresses=False)


@pytest.fixture(scope="module")
def task_results(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, TaskResult]:
    """What each program comes to, all of them done by one pool."""
    root = Path(programs.__file__).parent
    file = str(tmp_path_factory.mktemp("pids") / "pid")
    quick: list[Callable[..., bytes]] = [
        *(programs.gives, programs.gives_much, programs.raises, programs.leaves, programs.dies, programs.loops),
        *(programs.sleeps, programs.asks_for_too_much, programs.starts_another),
    ]
    tasks = [
        *(Task(one, (), _LIMITS, root) for one in quick),
        Task(programs.hoards, (), _SLOWLY, root),
        Task(programs.prints_without_end, (), Limits(seconds=60), root),
        Task(programs.starts_another_and_loops, (file,), _LIMITS, root),
    ]
    with TaskPool(jobs=3) as pool:
        found = {tasks[index].function.__name__: task_result for index, task_result in pool.do(tasks)}
    found["pid"] = TaskResult(Path(file).read_bytes())
    return found


def test_only_the_end_of_much_output_is_kept(task_results: Mapping[str, TaskResult]) -> None:
    assert len(task_results["prints_without_end"].printed) == 64 * 1024


def test_what_a_function_gives_arrives_whole(task_results: Mapping[str, TaskResult]) -> None:
    assert task_results["gives"].content == b"given"
    assert task_results["gives_much"].content == programs.gives_much()


def test_what_it_prints_is_kept_apart(
    task_results: Mapping[str, TaskResult], capfd: pytest.CaptureFixture[str]
) -> None:
    assert task_results["gives"].printed == "printed\n"
    assert capfd.readouterr() == ("", "")


ENDINGS = {
    "raises": "failed inside shapecheck: ValueError: not today",
    "leaves": "exited with code 3; last line of its output: last words",
    "dies": "was killed by signal 11 (SIGSEGV)",
    "loops": "exceeded the time limit of 3 s",
    "sleeps": "exceeded the time limit of 3 s",
    "prints_without_end": "printed more than 256.0 MiB",
    "hoards": "exceeded the memory limit of 200.0 MiB",
}


@pytest.mark.parametrize("name", ENDINGS)
def test_the_reason_of_an_early_end_is_said(name: str, task_results: Mapping[str, TaskResult]) -> None:
    assert task_results[name].content is None
    assert task_results[name].reason == ENDINGS[name]


def test_what_may_be_done_about_a_limit_is_said(task_results: Mapping[str, TaskResult]) -> None:
    assert task_results["sleeps"].advice == "raise --timeout"
    assert task_results["hoards"].advice == "raise --memory or use --device fake"


def test_only_a_function_that_raises_is_our_fault(task_results: Mapping[str, TaskResult]) -> None:
    assert [name for name, task_result in task_results.items() if task_result.is_fault] == ["raises"]


def test_the_advice_names_the_option(task_results: Mapping[str, TaskResult]) -> None:
    assert "--timeout" in task_results["loops"].advice
    assert "--memory" in task_results["hoards"].advice


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("loops", ("while True", "pass")),
        ("sleeps", ("time.sleep(60)",)),
        ("dies", ("string_at",)),
        ("hoards", ("while True", "held.append", "time.sleep")),
    ],
)
def test_the_line_that_was_running_is_found(
    name: str, texts: tuple[str, ...], task_results: Mapping[str, TaskResult]
) -> None:
    place = task_results[name].place
    assert place is not None
    assert place[0] == programs.__file__
    line = Path(programs.__file__).read_text().splitlines()[place[1] - 1]
    assert any(text in line for text in texts)


def test_a_process_that_leaves_without_a_word_has_no_line(task_results: Mapping[str, TaskResult]) -> None:
    assert task_results["leaves"].place is None


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of addresses is set on Linux only")
def test_more_memory_than_the_limit_is_refused_at_once(task_results: Mapping[str, TaskResult]) -> None:
    assert task_results["asks_for_too_much"].content == b"refused"


@pytest.mark.parametrize("name", ["starts_another", "pid"])
def test_what_a_process_started_ends_with_it(name: str, task_results: Mapping[str, TaskResult]) -> None:
    content = task_results[name].content
    assert content
    pid = int(content)
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
