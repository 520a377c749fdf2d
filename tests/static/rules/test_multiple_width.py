"""off-default: two operands whose widths are a size and a multiple of it, so that it must be 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

MODEL = """
class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.up = nn.Linear(config.width, 4 * config.width)
        self.down = nn.Linear(4 * config.width, 2 * config.width)
        self.out = nn.Linear(config.width, config.width)
        self.table = nn.Embedding(config.rows, config.width)
        self.heads = config.heads

    def forward(self, x: Tensor, images: Tensor):
        b, c, h, w = images.shape
        {}
"""
FOUND = {
    "a residual": "return x + self.down(self.up(x))  # HERE",
    "in the other order": "return self.down(self.up(x)) - x  # HERE",
    "a product": "return self.out(x) * self.up(x)  # HERE",
    "positions": "return self.down(self.up(x)) + self.table(torch.arange(9, device=x.device))  # HERE",
}
QUIET = {
    "a residual": "return x + self.out(x)",
    "the channels of an image, which may be 1": "return torch.cat([images, images], 1) * images",
    "another size": "return x + x.new_zeros(self.heads)",
    "a part": "return self.up(x)[..., :1] + self.out(x)",
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    source = MODEL.format(FOUND[case])
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "off-default")
    assert message.endswith("in dimension -1 (works only for width=1)")


@pytest.mark.parametrize("case", QUIET)
def test_quiet(case: str, tmp_path: Path) -> None:
    assert reported(tmp_path, MODEL.format(QUIET[case])) == []
