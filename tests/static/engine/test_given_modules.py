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


DTYPES = """
from library import Trainer, convert, watch


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.rest = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return torch.addcmul(self.scale, self.rest(self.first(x)), self.scale)


def use():
    net = {made}
    again = net
    {given}
    return again(torch.zeros(2, {size}, dtype=torch.{dtype}))


use()
"""
MADE = ("Net()", "nn.Linear(3, 4)", "nn.Sequential(nn.Linear(3, 4))")
CONVERTING = (
    "convert(net)",
    "convert(net, {'weight': 1})",
    "convert({'net': [net]})",
    "Trainer().fit(model=net)",
    "make = lambda one: watch(one)\n    make(net)",
)


@pytest.mark.parametrize("given", CONVERTING)
@pytest.mark.parametrize("made", MADE)
def test_the_dtypes_of_a_module_that_unknown_code_received_are_unknown(tmp_path: Path, made: str, given: str) -> None:
    for change, dtype, size, expected in (
        (given, "bfloat16", 3, []),
        ("print(net)", "bfloat16", 3, ["dtype-mismatch"]),
        (given, "float32", 5, ["shape-mismatch"]),
    ):
        path, _ = lines_of(tmp_path, DTYPES.format(made=made, given=change, dtype=dtype, size=size))
        assert [one.code for one in check([path])] == expected


def test_a_layer_that_unknown_code_received_is_known_by_the_call_that_built_it(tmp_path: Path) -> None:
    program = DTYPES.format(made="nn.Linear(3, 4)", given="watch(net)", dtype="float32", size=5)
    path, text = lines_of(tmp_path, program)
    (finding,) = check([path])
    built = text[: text.index("net = nn.Linear")].count("\n") + 1
    assert (built, "layer expects 3: nn.Linear(3, 4)") in [(one.line, one.message) for one in finding.notes]
