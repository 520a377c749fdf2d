"""`shapecheck annotate`: parameters without a default that may be None by their annotation."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck.cli import main

PROGRAM = """
from typing import Optional, Union

from torch import Tensor, nn


class Prompt(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.masks = nn.Conv2d(1, width, 3)
        self.empty = nn.Embedding(1, width)

    def forward(self, masks: {annotation}):
        if masks is not None:
            return self.masks(masks)
        return self.empty.weight.reshape(1, -1, 1, 1)
"""


@pytest.mark.parametrize("annotation", ["Optional[Tensor]", "Tensor | None", "None | Tensor", "Union[Tensor, None]"])
def test_a_tensor_is_as_the_body_requires_where_it_is_not_none(
    annotation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "net.py"
    file.write_text(PROGRAM.format(annotation=annotation))
    CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "200", str(file)])
    written = annotation.replace("Tensor", 'Float[Tensor, "n 1 h w"]')
    assert f"masks: {written})" in file.read_text()
