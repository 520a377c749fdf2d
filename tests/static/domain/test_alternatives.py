"""Small sets of alternatives: what fails on all of them is found, what fails on one of them is not."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import HEAD, lines_of
from tests.steps import steps

FOUND = {
    "two layers that both refuse": """
        def f(deep):
            layer = nn.Linear(4, 8) if deep else nn.Linear(5, 8)
            return layer(torch.zeros(2, 6))  # HERE
        """,
    "None would fail as well": """
        def f(flag):
            layer = None
            if flag:
                layer = nn.Linear(4, 8)
            return layer(torch.zeros(2, 6))  # HERE
        """,
    "a width that is one of two": """
        def f(flag):
            width = 4 if flag else 5
            return nn.Linear(width, 8)(torch.zeros(2, 6))  # HERE
        """,
    "tensors of two ranks": """
        def f(flag):
            x = torch.zeros(2, 3) if flag else torch.zeros(2, 3, 3)
            return nn.Linear(4, 8)(x)  # HERE
        """,
    "what comes out of all alternatives": """
        def f(flag):
            act = nn.ReLU() if flag else nn.GELU()
            return nn.Linear(4, 8)(act(torch.zeros(2, 6)))  # HERE
        """,
    "a default by or": """
        def f(flag):
            layer = None if flag else nn.Linear(4, 8)
            layer = layer or nn.Linear(4, 16)
            return layer(torch.zeros(2, 6))  # HERE
        """,
    "functions": """
        def f(flag):
            op = torch.relu if flag else torch.tanh
            return nn.Linear(4, 8)(op(torch.zeros(2, 6)))  # HERE
        """,
    "objects of the project": """
        class A(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 8)

            def forward(self, x):
                return self.fc(x)

        class B(A):
            def forward(self, x):
                return self.fc(x) + 1

        def f(flag):
            x = A()(torch.zeros(2, 4))
            net = A() if flag else B()
            return nn.Linear(9, 1)(net(torch.zeros(2, 4)))  # HERE
        """,
    "lists of one length": """
        def f(flag):
            sizes = (4, 8) if flag else [4, 9]
            for size in sizes:
                nn.Linear(size, 2)(torch.zeros(1, 3))  # HERE
        """,
    "an attribute of either": """
        def f(flag):
            layer = nn.Linear(4, 8) if flag else nn.Linear(4, 8, bias=False)
            return torch.zeros(2, 5) @ layer.weight.t()  # HERE
        """,
    "a bias that may be None": """
        def f(flag):
            bias = torch.zeros(8) if flag else None
            return F.linear(torch.zeros(2, 5), torch.zeros(8, 4), bias)  # HERE
        """,
    "an item of either": """
        def f(flag):
            table = {"a": nn.Linear(4, 2)} if flag else {"a": nn.Linear(5, 2)}
            return table["a"](torch.zeros(1, 3))  # HERE
        """,
}

QUIET = {
    "one of two fits": """
        def f(deep):
            layer = nn.Linear(4, 8) if deep else nn.Linear(6, 8)
            return layer(torch.zeros(2, 6))
        """,
    "a rank of two fits": """
        def f(flag):
            x = torch.zeros(2, 3) if flag else torch.zeros(2, 3, 4)
            return nn.Linear(4, 8)(x).permute(0, 2, 1)
        """,
    "what a loop makes of a number": """
        def f(steps):
            width = 4
            for step in steps:
                width = width * 2
            return nn.Linear(width, 1)(torch.zeros(1, 32))
        """,
    "what a loop makes of a number one round later": """
        def f(steps):
            old, width = 4, 4
            for step in steps:
                old, width = width, width + 1
            return nn.Linear(old, 1)(torch.zeros(1, 7))
        """,
    "more than can be kept": """
        def f(a, b, c):
            width = 1
            if a:
                width = 2
            elif b:
                width = 3
            elif c:
                width = 4
            elif a > b:
                width = 5
            return nn.Linear(width, 1)(torch.zeros(1, 9))
        """,
    "what is changed in one of two lists": """
        def f(flag):
            a, b = [nn.Linear(4, 4)], [nn.Linear(4, 4)]
            either = a if flag else b
            either.append(nn.Linear(5, 4))
            either[0] = nn.Linear(3, 3)
            nn.Sequential(*a)(torch.zeros(1, 3))
            nn.Sequential(*b)(torch.zeros(1, 4))
        """,
    "what is changed in one of two objects": """
        class Box:
            def __init__(self, size):
                self.size = size

        def f(flag):
            a, b = Box(3), Box(4)
            either = a if flag else b
            either.size = 5
            nn.Linear(a.size, 1)(torch.zeros(1, 5))
            nn.Linear(b.size, 1)(torch.zeros(1, 4))
        """,
    "a list that an unknown function got": """
        def f(flag, change):
            a = [nn.Linear(4, 4)]
            change(a if flag else [])
            a.append(nn.Linear(5, 5))
            return nn.Sequential(*a)(torch.zeros(1, 9))
        """,
    "a module of either kind that is cast": """
        class Net(nn.Module):
            def __init__(self, wide):
                super().__init__()
                self.fc = nn.Linear(4, 8) if wide else nn.Linear(4, 2)

            def forward(self, x):
                return self.fc(x)

        def f(wide):
            return Net(wide).double()(torch.zeros(2, 4, dtype=torch.float64))
        """,
    "a function that gives either": """
        def make(flag):
            if flag:
                return nn.Linear(4, 8)
            return nn.Identity()

        def f(flag):
            return nn.Linear(8, 2)(make(flag)(torch.zeros(1, 4)))
        """,
    "a call that fails for one of two": """
        class A(nn.Module):
            def forward(self, x):
                return nn.Linear(4, 8)(x)

        class B(nn.Module):
            def forward(self, x):
                return nn.Linear(6, 8)(x)

        def f(flag):
            return nn.Linear(8, 2)((A() if flag else B())(torch.zeros(1, 6)))
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_what_fails_for_all(name: str, tmp_path: Path) -> None:
    path, text = lines_of(tmp_path, FOUND[name])
    (line,) = (number for number, content in enumerate(text.splitlines(), 1) if content.endswith("# HERE"))
    assert [(one.line, one.code) for one in check([path])] == [(line, "shape-mismatch")]


@pytest.mark.parametrize("name", QUIET)
def test_what_fails_for_one_or_none(name: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, QUIET[name])
    assert check([path]) == []


def test_a_finding_for_all_alternatives_has_a_note(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, FOUND["two layers that both refuse"])
    (only,) = check([path])
    assert only.notes[-1].message == "all 2 possible values fail; this is the first"


@pytest.mark.parametrize("line", ["x = step(x)", "self.a = layer(x)", "w = w + 1 if flag_{} else w", "return x"])
def test_many_open_flags_cost_no_more_than_their_number(line: str, tmp_path: Path) -> None:
    def expect_nothing(path: Path) -> None:
        assert check([path]) == []

    def steps_for(count: int) -> int:
        flags = ", ".join(f"flag_{n}" for n in range(count))
        body = "".join(f"    if flag_{n}:\n        {line.format(n)}\n" for n in range(count))
        head = "    layer = nn.Linear(4, 4) if flag_0 else nn.Linear(4, 5)\n    w = 1\n"
        source = HEAD + textwrap.dedent("def step(x):\n    return x if x.dim() == 2 else x.flatten(1)\n")
        path = tmp_path / f"program_{count}.py"
        path.write_text(f"{source}\ndef f(self, x, {flags}):\n{head}{body}    return w\n")
        return steps(lambda: expect_nothing(path))

    steps_for(2)
    assert steps_for(40) < 20 * steps_for(10)
