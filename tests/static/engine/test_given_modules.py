"""An assert about a module that unknown code received is not reported: the code may have changed its layers."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

PROGRAM = """
from library import Pruner, prune


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.layers = nn.Sequential(nn.Conv2d(3, width, 3))

    def forward(self, x):
        return self.layers(x)


def halve(net):
    prune(net, 0.5)


def use():
    net = Net(10)
    {given}
    y = net(torch.zeros(1, 3, 8, 8))
    assert {test}


use()
"""

GIVEN = (
    "prune(net)",
    "pruner = Pruner(net)\n    pruner.step()",
    "halve(net)",
    "prune([net])",
    "prune(model=net.layers[0])",
    "Pruner().add(net)",
)
KEPT = ("pass", "print(net)", "torch.save(net, 'net.pt')", "net.eval()", "prune(net.width)")
TESTS = ("net.layers[0].out_channels == 5", "net.width == 5", "y.shape == (1, 5, 6, 6)")


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("given", GIVEN)
def test_unknown_code_may_change_a_module(tmp_path: Path, given: str, test: str) -> None:
    path, _ = lines_of(tmp_path, PROGRAM.format(given=given, test=test))
    assert check([path]) == []


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("given", KEPT)
def test_a_module_that_no_unknown_code_received_is_unchanged(tmp_path: Path, given: str, test: str) -> None:
    path, _ = lines_of(tmp_path, PROGRAM.format(given=given, test=test))
    assert [one.code for one in check([path])] == ["false-assert"]
