"""Attributes that code which is not seen may have changed: which branch of the object is taken is unknown from then on.

The object was configured for its caller, so what fails in a branch on such an attribute proves nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
from elsewhere import names, run


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stored, self.kind, self.level = torch.ones(1), "flat", 2
        self.proj = nn.Linear(8, 4)

    @property
    def held(self):
        return self.stored

    def forget(self):
        self.stored, self.kind, self.level = None, "image", 4

    def set(self, value):
        for name in names:
            setattr(self, name, value)

    def load(self, values):
        self.__dict__.update(values)

    def forward(self, x):
        {branch}


def main():
    net = Net()
    {change}
    return net(torch.zeros(2, 3, 8))
"""
FAILING = "self.proj(x.mean(2))"
BRANCHES = {
    "None": "if self.stored is None:\n    return {failing}\nreturn self.proj(x)",
    "not None": "if self.stored is not None:\n    return self.proj(x)\nelse:\n    return {failing}",
    "a property": "if self.held is None:\n    return {failing}\nreturn self.proj(x)",
    "another condition": "if run.on or self.held is None:\n    return {failing}\nreturn self.proj(x)",
    "a local name": "held = self.held\nif held is None:\n    return {failing}\nreturn self.proj(x)",
    "an expression": "return {failing} if self.held is None else self.proj(x)",
    "a membership": 'if self.kind in ("image", "photo"):\n    return {failing}\nreturn self.proj(x)',
    "a number": "if self.level > 3:\n    return {failing}\nreturn self.proj(x)",
    "truth": "if not self.stored:\n    return {failing}\nreturn self.proj(x)",
}
CHANGES = {
    "a method that is given away": "run(net.forget)",
    "setattr under an unknown name": "net.set(run())",
    "an update of its __dict__": "net.load(run())",
}


def _codes(folder: Path, branch: str, change: str) -> list[str]:
    body = branch.format(failing=FAILING).replace("\n", "\n        ")
    path, _ = lines_of(folder, PROGRAM.format(branch=body, change=change))
    return [one.code for one in check([path])]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("branch", BRANCHES.values(), ids=BRANCHES)
def test_branches_on_what_may_have_changed(tmp_path: Path, branch: str, change: str) -> None:
    assert _codes(tmp_path, branch, change) == []


@pytest.mark.parametrize("branch", BRANCHES.values(), ids=BRANCHES)
def test_branches_on_what_the_program_changes(tmp_path: Path, branch: str) -> None:
    assert _codes(tmp_path, branch, "net.forget()") == ["shape-mismatch"]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_follows_the_branch_is_reported(tmp_path: Path, change: str) -> None:
    assert _codes(tmp_path, "if self.held is None:\n    x = x * 2\nreturn {failing}", change) == ["shape-mismatch"]


TWO_MODES = """
class Metric:
    def __init__(self, several={several}):
        self.several, self.kind = several, None

    def check(self, x):
        if self.several:
            kind = "many"
        else:
            kind = "one"
        if self.kind is None:
            self.kind = kind

    def update(self, x):
        self.check(x)
        if self.kind == "one":
            return x.sum()
        elif self.kind == "many":
            return x.movedim(1, -1)
        else:
            raise ValueError


def main():
    return Metric().update(torch.zeros(6))
"""


def test_every_branch_on_one_of_several_known_modes_is_for_one_mode(tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, "from elsewhere import several\n" + TWO_MODES.format(several="several"))
    assert check([path]) == []
    path, _ = lines_of(tmp_path, TWO_MODES.format(several="True"))
    assert [one.code for one in check([path])] == ["shape-mismatch"]
