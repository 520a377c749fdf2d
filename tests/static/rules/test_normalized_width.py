"""off-default of a normalization whose width has another name than that of the layer before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

MODEL = """
class Block(nn.Module):
    def __init__(self, planes: int, inplanes: int):
        super().__init__()
        self.conv = nn.Conv2d(planes, inplanes, 1)
        self.linear = nn.Linear(planes, inplanes)
        self.bn = nn.BatchNorm2d({width})
        self.flat = nn.BatchNorm1d({width})
        self.relu = nn.ReLU()

    def forward(self, x: Tensor, y: Tensor):
        {body}
"""
FOUND = {
    "a convolution": "return self.bn(self.conv(x))  # HERE",
    "a linear layer": "return self.flat(self.linear(y.flatten(1)))  # HERE",
}
QUIET = {
    "the width of the layer": ("inplanes", "return self.bn(self.conv(x))"),
    "an input": ("planes", "return self.bn(x)"),
    "a layer between": ("planes", "return self.bn(self.relu(self.conv(x)) + x)"),
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    source = MODEL.format(width="planes", body=FOUND[case])
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "off-default")
    assert message.endswith("(works only if planes equals inplanes)")


@pytest.mark.parametrize("case", QUIET)
def test_quiet(case: str, tmp_path: Path) -> None:
    width, body = QUIET[case]
    assert reported(tmp_path, MODEL.format(width=width, body=body)) == []
