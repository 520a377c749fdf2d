"""What unknown code may change because an object gave it a method, or itself, at some time."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check

PROGRAM = """\
import torch
from elsewhere import Sampler, run

class Walker:
    def __init__(self, other):
        self.other, self.size, self.other_size = other, 3, 3
        self.sampler = {given}

    def outer(self, x):
        return self.walk(x)

    def walk(self, x):
        self.seen = torch.cat([self.seen, x.sum().unsqueeze(0)])
        self.size = x.shape[0]

    def resize(self):
        self.other_size = 4

    def train(self):
        self.seen, self.size, self.other_size = torch.tensor([]), 3, 3
{lines}
"""
READ = ("torch.median(self.seen, 0)", "torch.zeros(2, 4) @ torch.zeros(self.size, 2)")
GIVEN = {
    "a bound method": "Sampler(self.walk)",
    "one by keyword": "Sampler(step=self.walk)",
    "one that calls it": "Sampler(self.outer)",
    "a lambda": "Sampler(f=lambda x: self.walk(x))",
    "a lambda that calls another method": "Sampler(lambda x: self.outer(x))",
    "the object": "Sampler(self)",
}
CALLED = {
    "a method of the attribute": "self.sampler.move()",
    "the attribute": "self.sampler(3)",
    "under another name": "sampler = self.sampler\nsampler.move()",
    "in a loop": "for _ in range(3):\n    self.sampler.move()",
    "through an attribute of it": "self.sampler.inner.move()",
}
AT_ONCE = {
    "a bound method": "run(self.walk)",
    "one that calls it": "run(self.outer)",
    "a lambda": "run(lambda x: self.walk(x))",
    "a function": "def step(x):\n    return self.outer(x)\nrun(step)",
}
STILL_FOUND = {
    "no call": ("Sampler(self.walk)", "pass"),
    "a call before": ("Sampler(self.walk)", "self.sampler.move()\nself.seen, self.size = torch.tensor([]), 3"),
    "a call of torch": ("Sampler(self.walk)", "torch.manual_seed(0)"),
}


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("called", CALLED.values(), ids=CALLED)
def test_code_that_was_given_a_method_may_call_it_later(called: str, read: str, tmp_path: Path) -> None:
    assert not _codes("Sampler(self.walk)", f"{called}\n{read}", tmp_path)


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_a_method_is_given_in_several_ways(given: str, read: str, tmp_path: Path) -> None:
    assert not _codes(given, f"self.sampler.move()\n{read}", tmp_path)


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("line", AT_ONCE.values(), ids=AT_ONCE)
def test_a_method_that_is_passed_may_be_called_at_once(line: str, read: str, tmp_path: Path) -> None:
    assert not _codes("None", f"{line}\n{read}", tmp_path)


def test_unknown_code_may_fill_an_empty_tensor(tmp_path: Path) -> None:
    for line in ("self.other.move()", "run(self)"):
        assert not _codes("None", f"{line}\ntorch.median(self.seen, 0)", tmp_path)


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize(("given", "line"), STILL_FOUND.values(), ids=STILL_FOUND)
def test_what_no_code_changed_is_known(given: str, line: str, read: str, tmp_path: Path) -> None:
    assert _codes(given, f"{line}\n{read}", tmp_path) == ["shape-mismatch"]


@pytest.mark.parametrize(
    ("given", "size"), [("Sampler(self.walk)", "self.other_size"), ("None", "self.size")], ids=["another", "none"]
)
def test_what_the_given_methods_do_not_write_is_known(given: str, size: str, tmp_path: Path) -> None:
    read = f"torch.zeros(2, 4) @ torch.zeros({size}, 2)"
    assert _codes(given, f"self.other.move()\n{read}", tmp_path) == ["shape-mismatch"]


def _codes(given: str, lines: str, folder: Path) -> list[str]:
    path = folder / "program.py"
    path.write_text(PROGRAM.format(given=given, lines=textwrap.indent(lines, " " * 8)))
    return [one.code for one in check([path])]


SAVED = """\
import inspect

import torch
from elsewhere import run
from torch import nn


class Net(nn.Module):
    def __init__(self, width=8, task="mean"):
        super().__init__()
        self.save()
        self.task, self.width = task, width
        self.head = nn.Linear(width, 2) if task == "mean" else nn.Bilinear(width, width, 2)

    def save(self):
        self.names = inspect.signature({constructor}).parameters
        run(self)

    def forward(self, x):
        run(self.head)
        self.names.update(x)
        if self.task == "mean":
            return self.head(x)
        return self.head(x, x)


def main():
    return Net()(torch.zeros(3, {width}))
"""


@pytest.mark.parametrize("constructor", ["self.__class__.__init__", "type(self).__init__", "Net.__init__"])
def test_a_constructor_whose_signature_is_read_is_not_called(constructor: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(SAVED.format(constructor=constructor, width=8))
    assert not check([path])
    path.write_text(SAVED.format(constructor=constructor, width=9))
    assert [one.line for one in check([path]) if one.message.startswith("Linear")]
