"""Under torch.autocast, operators cast their floating inputs themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a shape that is wrong whatever the kind of number": """
        with torch.autocast("cuda"):
            nn.Linear(4, 2)(torch.randn(3, 5))  # HERE
        """,
    "whole numbers are not cast": """
        with torch.autocast("cuda"):
            nn.Linear(4, 2)(torch.arange(4))  # HERE
        """,
    "after it, kinds must agree again": """
        with torch.autocast("cuda"):
            pass
        nn.Linear(4, 2)(torch.randn(3, 4).half())  # HERE
        """,
    "it is switched off": """
        with torch.autocast("cuda", enabled=False):
            nn.Linear(4, 2)(torch.randn(3, 4).half())  # HERE
        """,
}

NET = """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 4)

            def forward(self, x):
                {body}
"""
FOUND |= {
    "float64 in a forward without callers": NET.format(body="return self.fc(x.double())  # HERE"),
    "a wrong size of half in a forward without callers": NET.format(
        body="return self.fc(x.new_zeros(2, 3).half())  # HERE"
    ),
    "half in an operator that autocast does not cast": NET.format(
        body="return torch.zeros(4, 4).scatter(0, x.long(), self.fc.weight.half())  # HERE"
    ),
    "half in a test": NET.format(body="return self.fc(x)  # HERE")
    + """
        def test_half():
            Net()(torch.zeros(2, 4).half())
        """,
    "half in a program": NET.format(body="return self.fc(x)  # HERE")
    + """
        Net()(torch.zeros(2, 4).half())
        """,
}

QUIET = {
    "half in a forward without callers": NET.format(body="return self.fc(x.bfloat16())"),
    "half in a method that only others of the class call": NET.format(body="return self.embed(x)")
    + """
            def embed(self, x):
                return self.fc(x.half())
        """,
    "half into a layer of float": """
        with torch.autocast("cuda", dtype=torch.float16):
            nn.Linear(4, 2)(torch.randn(3, 4).half()) @ torch.randn(2, 3)
        """,
    "the kind of the result is not that of the input": """
        with torch.autocast("cpu", dtype=torch.bfloat16):
            h = nn.Linear(4, 4)(torch.randn(2, 4))
            assert h.dtype == torch.bfloat16
        torch.mm(h, torch.randn(4, 4).bfloat16())
        """,
    "a function that it stands above": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 4)

            @torch.autocast("cpu", dtype=torch.bfloat16)
            def forward(self, x):
                return self.fc(x.bfloat16())

        Net()(torch.randn(2, 4))
        """,
    "a context manager that is given": """
        def run(context, layer, x):
            with context:
                return layer(x)

        class Trainer:
            def step(self, x):
                with self.autocast():
                    return nn.Linear(4, 2)(x.half())

        def main(context):
            run(context, nn.Linear(4, 2), torch.randn(3, 4).half())
            Trainer().step(torch.randn(3, 4))
        """,
    "one of two context managers": """
        from contextlib import nullcontext
        context = torch.autocast("cuda") if torch.cuda.is_available() else nullcontext()
        with context:
            nn.Linear(4, 2)(torch.randn(3, 4).half())
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_what_autocast_does_not_help(name: str, tmp_path: Path) -> None:
    assert [line for line, _, _ in reported(tmp_path, FOUND[name])] == [place(FOUND[name])]


@pytest.mark.parametrize("name", QUIET)
def test_what_it_casts(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
