"""discarded-result: a variable that is assigned again before its tensor is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

from .programs import place, reported

PROGRAM = """
class Own(nn.Module):
    def forward(self, x):
        return x * 2

class Counting(nn.Module):
    def forward(self, x):
        self.last = x
        return x * 2

class Net(nn.Module):
    def __init__(self, d, given):
        super().__init__()
        self.a, self.b, self.given = nn.Linear(d, d), nn.Linear(d, d), given
        self.net = nn.Sequential(nn.Linear(d, d), nn.ReLU())
        self.layers = nn.ModuleList([nn.Linear(d, d) for _ in range(3)])
        self.lstm = nn.LSTM(d, d, batch_first=True)
        self.own, self.counting = Own(), Counting()

    def prepared(self, x):
        return x.clone()

    def forward(self, x, y: Tensor):
        {body}
"""
FOUND = {
    "a layer": ("h = self.a(x); h = self.b(x); return h", "the result of self.a is not used: h"),
    "a container": ("h = self.net(x); h = self.b(x); return h", "the result of self.net is not used: h"),
    "layers in a loop": (
        "h = x\n        for one in self.layers:\n            h = one(h)  # HERE\n        h = x.mT; return h",
        "the result of one is not used: h",
    ),
    "several results": (
        "h, _ = self.lstm(x); h, _ = self.lstm(self.a(x)); return h",
        "the result of self.lstm is not used: h",
    ),
    "a module of the project": ("h = self.own(x); h = self.b(x); return h", "the result of self.own is not used: h"),
    "an operator": ("h = y.sum(1); h = y.mean(1); return h", "the result of sum is not used: h"),
    "a function": ("h = torch.cat([y, y]); h = y.mean(1); return h", "the result of cat is not used: h"),
    "in a branch": (
        "q, v = y.chunk(2, -1)\n        if self.training:\n            v = v.flip(1)  # HERE\n"
        "        q = q.relu(); v = q.tanh(); return q * v",
        "the result of flip is not used: v",
    ),
}
QUIET = {
    "read": "h = self.a(x); h = self.b(h); return h",
    "read in one branch": "h = self.a(x)\n        if self.training: h = self.b(x)\n        return h",
    "a constant": "h = torch.zeros(2, 3); h = self.b(x); return h",
    "a start": "h = torch.zeros_like(y); h = self.b(x); return h",
    "a copy": "h = y.clone(); h = self.b(x); return h",
    "a line that occurs twice": "h = self.a(x); h = self.a(x); return h",
    "in place": "h = y.add_(1); h = self.b(x); return h",
    "a module that stores something": "h = self.counting(x); h = self.b(x); return h",
    "an unknown module": "h = self.given(x); h = self.b(x); return h",
    "a method of the project": "h = self.prepared(y); h = self.b(x); return h",
    "a name that says so": "_ = self.a(x); _ = self.b(x); return x",
    "a number": "h = y.size(0); h = y.size(1); return h",
    "measured": "import time; t = time.time(); h = self.a(x); h = self.b(x); return h, time.time() - t",
}


@pytest.mark.parametrize(("body", "message"), FOUND.values(), ids=FOUND)
def test_found(tmp_path: Path, body: str, message: str) -> None:
    source = PROGRAM.format(body=body if "# HERE" in body else f"{body}  # HERE")
    expected = (place(source), "discarded-result", f"{message} is assigned again before it is read")
    assert reported(tmp_path, source) == [expected]


@pytest.mark.parametrize("body", QUIET.values(), ids=QUIET)
def test_quiet(tmp_path: Path, body: str) -> None:
    assert [one for one in reported(tmp_path, PROGRAM.format(body=body)) if one[1] == "discarded-result"] == []


def test_the_second_assignment_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("import torch\ndef f(y: torch.Tensor):\n    h = y.sum(1)\n    h = y.mean(1)\n    return h\n")
    (found,) = check([path])
    assert [(one.line, one.message) for one in found.notes] == [(4, "h is assigned again here")]
