"""Which calls are kept, and that a program finds the same whether or not calls are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static.domain.objects import ListValue, allocation_ids
from shapecheck.static.engine import memo
from shapecheck.static.engine.effects import CallEffects
from shapecheck.static.engine.journal import Journal
from shapecheck.static.engine.memo import Kept, Memo
from tests.static.rules.programs import place, reported


def test_calls_that_are_asked_for_outlive_those_that_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo, "_MOST", 2)
    calls = Memo()
    for number in range(20):
        calls._keep(number, Kept(number, [], CallEffects(), set(), has_inputs=True))
        assert calls._kept_as(0) is not None
        assert calls._kept_as(number) is not None
    known = [number for number in range(20) if calls._kept_as(number) is not None]
    assert {0, 19} <= set(known)
    assert len(known) <= 4


SECOND_CALL_DIFFERS = {
    "the first call is conditional": (
        "wrong-call",
        """
        def main(flag):
            if flag:
                outer()
            outer()

        def outer():
            return inner(1, 2)  # HERE

        def inner(a):
            return a
        """,
    ),
    "the first caller rests on defaults": (
        "false-assert",
        """
        def other(n=3):
            return first_of_three(torch.zeros(2, 3))

        def main():
            return first_of_three(torch.zeros(2, 3))

        def first_of_three(x):
            assert x.shape[0] == 3  # HERE
            return x
        """,
    ),
    "the first call of a symbolic argument is conditional": (
        "false-assert",
        """
        def main(x, flag):
            if flag:
                unpacked(x)
            unpacked(x)
            assert x.ndim == 3  # HERE

        def unpacked(x):
            rows, columns = x.shape
            return 1
        """,
    ),
    "the second argument has metadata": (
        "shared-module",
        """
        def main():
            several = stack([nn.Linear(8, 8), nn.Linear(8, 8)])
            return several, stack([nn.Linear(8, 8)] * 2)  # HERE

        def stack(layers):
            return nn.Sequential(*layers)
        """,
    ),
    "an attribute of a class has changed": (
        "shape-mismatch",
        """
        class Options:
            size = 4

        def main():
            rows(3)
            Options.size = 8
            return rows(3) @ torch.zeros(4, 2)  # HERE

        def rows(n):
            return torch.zeros(n, size())

        def size():
            return Options.size
        """,
    ),
    "a passed function captures another value": (
        "shape-mismatch",
        """
        def main():
            applied(of_rows(4))
            return applied(of_rows(8)) @ torch.zeros(4, 2)  # HERE

        def of_rows(n):
            def made():
                return torch.zeros(3, n)

            return made

        def applied(make):
            return make()
        """,
    ),
    "a passed function has another default": (
        "shape-mismatch",
        """
        def main():
            applied(of_rows(4))
            return applied(of_rows(8)) @ torch.zeros(4, 2)  # HERE

        def of_rows(n):
            return lambda size=n: torch.zeros(3, size)

        def applied(make):
            return make()
        """,
    ),
    "an argument with metadata is looked up": (
        "index-range",
        """
        def main():
            looked_up(torch.zeros(20).long())
            return looked_up(torch.arange(20))

        def looked_up(indices):
            return nn.Embedding(10, 4)(indices)  # HERE
        """,
    ),
}


@pytest.mark.parametrize("name", SECOND_CALL_DIFFERS)
def test_a_call_that_goes_another_way_elsewhere_is_run_again(name: str, tmp_path: Path) -> None:
    code, program = SECOND_CALL_DIFFERS[name]
    assert code in [code for line, code, _ in reported(tmp_path, program) if line == place(program) or code == name]


def test_conditional_calls_of_a_symbolic_argument_are_memoized(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = """
        def main(x, flag):
            if flag:
                unpacked(x)
                unpacked(x)
                unpacked(x)

        def unpacked(x):
            rows, columns = x.shape
            return 1
        """
    executed = []
    execute = Memo._run
    monkeypatch.setattr(Memo, "_run", lambda self, *args: (executed.append(args), execute(self, *args))[1])
    reported(tmp_path, program)
    assert len(executed) == 2  # the first one learns the rank of its argument, and the third one has that of the second


EXECUTED_ONCE = {
    "a function of another one is passed": """
        def main(n):
            called(adding(n))
            called(adding(n))

        def adding(n):
            return lambda x: x + n

        def called(function):
            return function(1)
        """,
    "metadata stays inside": """
        def main():
            called(3)
            called(3)

        def called(n):
            item = open("items")
            return len([item for _ in range(n)])
        """,
    "an attribute of an unknown object is assigned": """
        def main(engine):
            called(engine.state)
            called(engine.state)

        def called(state):
            state.size = 8
        """,
}


@pytest.mark.parametrize("name", EXECUTED_ONCE)
def test_a_call_is_executed_once(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executed = []
    execute = Memo._run
    monkeypatch.setattr(
        Memo, "_run", lambda self, run, one, *args: (executed.append(one.name), execute(self, run, one, *args))[1]
    )
    reported(tmp_path, EXECUTED_ONCE[name])
    assert executed.count("called") == 1


def test_a_reused_call_changes_attributes_of_what_its_callers_hold(tmp_path: Path) -> None:
    program = """
        class Box:
            def __init__(self):
                self.size = 4

        def main(engine):
            enlarge(engine.state)
            box = Box()
            enlarge(engine.state)
            return torch.zeros(2, box.size) @ torch.zeros(3, 2)

        def enlarge(state):
            state.size = 8
        """
    assert reported(tmp_path, program) == []
    assert reported(tmp_path, program.replace("state.size = 8", "return 8")) != []


def test_the_state_of_older_objects_has_a_version_which_undoing_restores() -> None:
    journal, older = Journal(), ListValue(())
    journal.began = next(allocation_ids)
    own = ListValue(())
    versions: list[object] = []

    def change() -> None:
        journal.write(own, "size", 1)
        versions.append(journal.version)
        journal.write(older, "size", 2)
        versions.append(journal.version)
        journal.apart(lambda: (journal.write(older, "size", 3), versions.append(journal.version)))
        versions.append(journal.version)
        journal.delete(older, "size")
        versions.append(journal.version)

    journal.apart(change)
    before, changed, inside, after, deleted = versions
    assert before is journal.version is None
    assert after is changed
    assert len({before, changed, inside, deleted}) == 4


def test_metadata_of_an_argument_does_not_pass_to_an_equal_one(tmp_path: Path) -> None:
    program = """
        def main():
            same(torch.arange(20))
            return nn.Embedding(10, 4)(same(torch.zeros(20).long()))

        def same(x):
            return x
        """
    assert reported(tmp_path, program) == []


@pytest.mark.parametrize("name", SECOND_CALL_DIFFERS)
def test_nothing_is_found_that_is_not_found_without_cached_calls(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, program = SECOND_CALL_DIFFERS[name]
    cached = reported(tmp_path, program)
    monkeypatch.setattr(Memo, "call", lambda self, run, function, given, since, body, **_: body())
    assert reported(tmp_path, program) == cached


def test_a_repeated_call_does_not_use_up_the_budget(tmp_path: Path) -> None:
    program = """
        def main():
            often()
            return torch.zeros(2) + torch.zeros(3)  # HERE

        def once():
            a = 0
            for i in [1, 2, 3, 4, 5, 6, 7, 8, 9]:
                a = a + i + 1 + 2
            return a

        def eight():
            return once() + once() + once() + once() + once() + once() + once() + once()

        def more():
            return eight() + eight() + eight() + eight() + eight() + eight() + eight() + eight()

        def much():
            return more() + more() + more() + more() + more() + more() + more() + more()

        def often():
            return much() + much() + much() + much() + much() + much() + much() + much()
        """
    assert [(line, code) for line, code, _ in reported(tmp_path, program)] == [(place(program), "shape-mismatch")]
