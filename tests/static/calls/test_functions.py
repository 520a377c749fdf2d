"""Functions: which ones are generators, and calls that never return."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

_LATER = "raise ValueError(message)"
FOUND = {
    "a named tuple": """
        from collections import namedtuple

        Source = namedtuple("Source", ["origin", "path"])

        def f(path):
            if isinstance(path, Source):
                torch.zeros(2, 3).permute(0, 1, 2)  # HERE

        f(Source(1, 2))
        """,
    "a function around a generator": """
        def data(n):
            def pipeline():
                yield n
            return torch.zeros(n)

        nn.Linear(4, 1)(data(3))  # HERE
        """,
    "a generator": """
        def rows():
            take = lambda: 1
            yield torch.zeros(2, 3)

        for row in rows():
            nn.Linear(4, 1)(row)  # HERE
        """,
    "after a call that returns": f"""
        def fail(message):
            if message:
                {_LATER}

        def f(x):
            if x.dim() == 2:
                fail(input())
            return x.permute(0, 2, 1)  # HERE

        f(torch.zeros(2, 3))
        """,
    "after an abstract method": """
        class Base:
            def prepare(self):
                raise NotImplementedError

            def run(self):
                self.prepare()
                torch.zeros(2, 3).permute(0, 2, 1)  # HERE

        Base().run()
        """,
    "a method of a class whose constructor rejects its defaults": """
        class Net(nn.Module):
            def __init__(self, refine=False):
                super().__init__()
                if not refine:
                    raise ValueError("only refine")
                self.up, self.down = nn.Linear(4, 2), nn.Linear(3, 4)

            def forward(self, x: Tensor):
                return self.down(self.up(x))  # HERE
        """,
}

QUIET = {
    "a list that a hook fills": """
        def f(x):
            layer, calls, gradients = nn.Linear(3, 2), [], []
            layer.register_forward_hook(lambda *_: calls.append(1))
            x.register_hook(lambda gradient: gradients.append(gradient))
            layer(x).sum().backward()
            assert len(calls) == 1
            return torch.stack(gradients)

        f(torch.zeros(2, 3))
        """,
    "a size computed by torch": """
        shape = (2, 4, 7)
        width = torch.prod(torch.tensor(shape[2:]))
        nn.RNN(input_size=width, hidden_size=3)(torch.zeros(shape))
        nn.Linear(width, 3)(torch.zeros(shape))
        """,
    "a text is no named tuple": """
        from collections import namedtuple

        Source = namedtuple("Source", ["origin", "path"])

        def f(path):
            if isinstance(path, Source):
                origin, path = path
            return path

        f("/a/path")
        """,
    "a yield in a function, a lambda and a class inside": """
        def data(n):
            def pipeline():
                yield n

            take = lambda: (yield n)

            class Items:
                def each(self):
                    yield n

            async def stream():
                yield n

            return torch.zeros(n), pipeline

        x, pipeline = data(3)
        nn.Linear(3, 1)(x)
        """,
    "an iterator of which some items were taken": """
        rows = iter([torch.zeros(2, 3), torch.zeros(4)])
        first = next(rows)
        nn.Linear(4, 1)(list(rows)[0])
        for row in rows:
            nn.Linear(4, 1)(row)
        """,
    "a function that always raises": """
        def fail(message):
            raise ValueError(message)

        class Problem:
            def stop(self):
                raise ValueError

        def f(x):
            if x.dim() == 2:
                fail("two")
            return x.permute(0, 2, 1)

        def g(x):
            if x.dim() == 2:
                Problem().stop()
            return x.permute(0, 2, 1)

        f(torch.zeros(2, 3))
        g(torch.zeros(2, 3))
        """,
    "a constructor that always raises": """
        class Problem:
            def __init__(self):
                raise ValueError

        def f(x):
            if x.dim() == 2:
                problem = Problem()
            return x.permute(0, 2, 1)

        f(torch.zeros(2, 3))
        """,
    "functions that exit": """
        import sys
        from typing import assert_never
        import pytest

        def f(x):
            if x.dim() == 2:
                sys.exit(1)
            return x.permute(0, 2, 1)

        def g(x):
            if x.dim() == 2:
                return assert_never(x)
            return x.permute(0, 2, 1)

        def h(x):
            if x.dim() == 2:
                pytest.skip("two")
            return x.permute(0, 2, 1)

        for one in (f, g, h):
            one(torch.zeros(2, 3))
        """,
    "a loop whose body raises under a default": """
        class Net(nn.Module):
            def __init__(self, layers: int, refine: bool = False):
                super().__init__()
                self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(layers)])
                self.refine = refine

            def forward(self, x: Tensor):
                found = []
                for layer in self.layers:
                    if not self.refine:
                        raise NotImplementedError
                    found.append(layer(x))
                return torch.stack(found)
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    found = reported(tmp_path, FOUND[name])
    assert [(line, code) for line, code, _ in found] == [(place(FOUND[name]), "shape-mismatch")]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
