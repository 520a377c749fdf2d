"""Loops of unknown length: what their first iteration does, and what only later ones do."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a list in a dict that nothing fills": """
        def f(pairs, table):
            groups = {}
            for key, value in pairs:
                group = []
                groups[key] = group
            for key in table:
                torch.stack([table[one] for one in groups[key]])  # HERE
        """,
    "in every iteration": """
        def f(items):
            for item in items:
                torch.zeros(2, 3).permute(0, 1, 2)  # HERE
        """,
    "in a branch, in every iteration": """
        def f(items, flag):
            x = torch.zeros(2, 3)
            for item in items:
                if flag:
                    x.permute(0, 1, 2)  # HERE
        """,
    "in the first iteration": """
        def f(items):
            x = torch.zeros(2, 3)
            for item in items:
                x = nn.Linear(4, 3)(x)  # HERE
        """,
    "in a function that the body calls": """
        def check(x, mask):
            if mask.any():
                x.permute(0, 1, 2)  # HERE

        def f(items, mask: Tensor):
            for item in items:
                check(torch.zeros(2, 3), mask)
        """,
    "in the second round of a long loop": """
        x = torch.zeros(2, 3)
        for step in range(1000):
            x = nn.Linear(3, 4)(x)  # HERE
        """,
    "after a loop that a validation needs": """
        def f(**options):
            for name in options:
                raise TypeError(name)
            torch.zeros(2, 3).permute(0, 1, 2)  # HERE
        """,
}

AFTER_ENDLESS = {
    "a counter": """
        def count():
            n = 0
            while True:
                if n > 5:
                    break
                n += 1
            return n
        """,
    "a counter and a condition on values": """
        def count():
            n = 0
            while True:
                if torch.rand(1).item() > 0.5 and n > 5:
                    break
                n = n + 1
            return n
        """,
    "a return": """
        def count():
            n = 1
            while 1:
                n *= 2
                if n >= 1000:
                    return n
        """,
    "states that follow one another": """
        def count():
            state = "a"
            while True:
                if state == "a":
                    state = "b"
                elif state == "b":
                    state = "c"
                elif state == "c":
                    state = "d"
                else:
                    break
            return state
        """,
    "an attribute": """
        class Counter:
            n = 0

            def run(self):
                self.n = 0
                while True:
                    self.n += 1
                    if self.n >= 10:
                        break
                return self.n

        def count():
            return Counter().run()
        """,
}
"""Endless loops that end in a later round than those that run."""

WRONG_CALLS = {
    "unconditionally, in a long loop": """
        def g(x, y): return x

        for epoch in range(1000):
            if epoch % 100 == 0:
                print(epoch)
            g(1)  # HERE
        """,
    "in the first round of an endless loop": """
        def g(x, y): return x

        while True:
            g(1)  # HERE
            if torch.rand(1) > 0.5:
                break
        """,
    "in a long loop that may end early": """
        def g(x, y): return x

        for step in range(50):
            g(1)  # HERE
            if torch.rand(1) > 0.5:
                break
        """,
}

QUIET = {
    "a number that a loop may not reach": """
        def f(count, rate):
            kept = torch.zeros(4, 2)
            for i in range(count):
                if i == 0:
                    kept[0, i] = rate
                kept[1, i] = rate
        """,
    "a list in a dict that a variable fills": """
        def f(pairs, table):
            groups = {}
            for key, value in pairs:
                group = groups.get(key)
                if group is None:
                    groups[key] = group = []
                group.append(value)
            for key in table:
                torch.stack([table[one] for one in groups[key]])
        """,
    "a long loop whose later rounds differ": """
        x = torch.zeros(2, 3)
        for step in range(1000):
            if step > 500:
                x = x[:, :2]
                break
            x = nn.Linear(3, 3)(x)
        x @ torch.zeros(2, 4)
        """,
    "an endless loop whose state changes": """
        x = torch.zeros(2, 3)
        while True:
            if x.shape[1] > 3:
                x = x @ torch.zeros(4, 5)
                break
            x = nn.Linear(3, 4)(x)
        x @ torch.zeros(5, 4)
        """,
    "a list that is filled by the result of an endless loop": """
        import json
        import sys

        def height():
            n = 0
            while True:
                if torch.rand(1).item() > 0.5 and n > 5:
                    break
                n = n + 1
            return n

        def pairs(lines):
            found = []
            for line in lines:
                if len(line) != 0:
                    n = height()
                    found.append((line, n))
            table = {}
            for i, one in enumerate(found):
                if one[1] is not None:
                    table[i] = [one[0], (one[1], i)]
            first, second = zip(*[table[key][1] for key in table.keys()])
            return first, second

        pairs(json.loads(sys.argv[1]))
        """,
    "a list that the first iteration fills": """
        def f(m: int):
            columns = []
            last = None
            for i in range(m):
                if i > 0:
                    before = torch.stack(columns, 1), last.permute(0)
                last = torch.zeros(3)
                columns.append(last)
            return torch.stack(columns)
        """,
    "a state that a continue creates": """
        def f(items):
            x = torch.zeros(3)
            for item in items:
                if item:
                    x = torch.zeros(2, 3)
                    continue
                if x.sum() > 0:
                    x.permute(1, 0)
        """,
    "a function that the body calls": """
        def check(x, flag):
            if flag:
                x.permute(1, 0)

        def f(items):
            x = torch.zeros(3)
            for i, item in enumerate(items):
                check(x, i > 0)
                x = torch.zeros(2, 3)
        """,
    "a list filled by a function that an unknown decorator receives": """
        def f(trainer):
            found = []

            @trainer.on(1)
            def save(_):
                found.append(torch.zeros(3))

            trainer.run()
            assert len(found) > 0
            return torch.stack(found)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    found = reported(tmp_path, FOUND[name])
    assert [(line, code) for line, code, _ in found] == [(place(FOUND[name]), "shape-mismatch")]


@pytest.mark.parametrize("name", AFTER_ENDLESS)
def test_a_call_with_an_endless_loop_returns(name: str, tmp_path: Path) -> None:
    ((_, code, message),) = reported(tmp_path, f"{textwrap.dedent(AFTER_ENDLESS[name])}\nreveal_shape(count())\n")
    assert code == "revealed-shape"
    assert "never returns" not in message


def test_a_call_with_an_endless_loop_without_an_exit_does_not_return(tmp_path: Path) -> None:
    program = "def wait():\n    n = 0\n    while True:\n        n += 1\n\nreveal_shape(wait())\n"
    ((_, _, message),) = reported(tmp_path, program)
    assert "never returns" in message


@pytest.mark.parametrize("name", WRONG_CALLS)
def test_a_call_in_the_first_round_is_unconditional(name: str, tmp_path: Path) -> None:
    found = reported(tmp_path, WRONG_CALLS[name])
    assert [(line, code) for line, code, _ in found] == [(place(WRONG_CALLS[name]), "wrong-call")]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
