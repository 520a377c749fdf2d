"""`shapecheck annotate`: which uses of an argument show that it is a tensor, and of which rank."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck.cli import main

HEAD = """
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.attention = nn.MultiheadAttention(width, 4, batch_first=True)
        self.positions = nn.Parameter(torch.zeros(7, width))
        self.loss = nn.MSELoss()

"""

SCALED = """    def forward(self, x, scale=None):
        x = self.inner(x)
        if scale is not None:
            x = {use}
        return x
"""


def annotated(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "net.py"
    file.write_text(HEAD + body)
    CliRunner().invoke(main, ["annotate", "--quiet", "--jobs", "1", "--line-length", "200", str(file)])
    return file.read_text()


@pytest.mark.parametrize(
    ("use", "written"),
    [
        ("x = x.masked_fill(mask, 0.0)", 'Bool[Tensor, " ..."]'),
        ("x = x.masked_fill(~mask, 0.0)", 'Bool[Tensor, " ..."]'),
        ("x = torch.where(mask, x, 0.0)", 'Bool[Tensor, " ..."]'),
        ("x = x.masked_fill(mask == 0, 0.0)", 'Shaped[Tensor, " ..."]'),
        ("x = torch.where(0.5 < mask, x, 0.0)", 'Shaped[Tensor, " ..."]'),
        ("x = x * torch.sigmoid(mask[:2])", 'Shaped[Tensor, " ..."]'),
        ("x = torch.cat([mask[1:], mask[:1]])", 'Shaped[Tensor, "_ ..."]'),
        ("x = self.attention(x, x, x, key_padding_mask=mask.flip(0))[0]", 'Shaped[Tensor, "n t"]'),
        ("x = x.index_select(1, mask)", 'Int[Tensor, " ..."]'),
        ("x = self.loss(x, mask)", 'Shaped[Tensor, " ..."]'),
        ("x = F.scaled_dot_product_attention(x, x, x, attn_mask=mask)", 'Shaped[Tensor, " ..."]'),
        ("x = self.attention(x, x, x, key_padding_mask=mask)[0]", 'Shaped[Tensor, "n t"]'),
    ],
)
def test_an_operand_that_an_operator_takes_only_as_a_tensor_is_one(
    use: str, written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forward = f"""    def forward(self, x, mask=None):
        x = self.inner(x)
        if mask is not None:
            {use}
        return x
"""
    assert f"mask: {written} | None = None" in annotated(forward, tmp_path, monkeypatch)


@pytest.mark.parametrize("use", ["x / scale", "x * scale", "x + scale", "(1 - scale) * x"])
def test_an_operand_of_arithmetic_alone_may_be_a_number(
    use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "scale=None" in annotated(SCALED.format(use=use), tmp_path, monkeypatch)


@pytest.mark.parametrize("use", ["x if scale == 1 else x * 2", "x * (scale > 0)", "torch.stack([x] * len(scale[:2]))"])
def test_what_is_only_compared_or_counted_may_be_no_tensor(
    use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "scale=None" in annotated(SCALED.format(use=use), tmp_path, monkeypatch)


@pytest.mark.parametrize("function", ["cat", "stack", "hstack", "vstack", "dstack", "concatenate"])
@pytest.mark.parametrize("part", ["scale", "scale[1:]"])
def test_a_sequence_of_tensors_is_no_tensor(
    function: str, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "scale=None" in annotated(SCALED.format(use=f"x, torch.{function}({part})"), tmp_path, monkeypatch)


@pytest.mark.parametrize("use", ["scale.norm(dim=1)", "scale.max(-1, keepdim=True)[0]", "scale.all(dim=-1)"])
def test_what_is_reduced_along_a_dimension_of_torch_is_a_tensor(
    use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = annotated(SCALED.format(use=f"x + {use}.sum()"), tmp_path, monkeypatch)
    assert re.search(r'scale: \w+\[Tensor, "', text)


@pytest.mark.parametrize("use", ["scale.norm()", 'scale.max(dim="time")', "scale.max(axis=1)", "scale.Norm(dim=8)"])
def test_what_is_reduced_otherwise_may_be_no_tensor(use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "scale=None" in annotated(SCALED.format(use=f"x + float({use})"), tmp_path, monkeypatch)


@pytest.mark.parametrize("use", ["x * scale.float()", "x * scale[:, None]", "x * scale + F.relu(scale)"])
def test_an_operand_that_is_also_used_as_a_tensor_is_one(
    use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 'scale: Shaped[Tensor, "' in annotated(SCALED.format(use=use), tmp_path, monkeypatch)


@pytest.mark.parametrize(
    "use",
    [
        "x = x + self.positions\n        return x.permute(1, 0, 2)",
        "x = self.positions + x\n        b, t, d = x.shape\n        return x",
        "x = x * 2 + self.positions[:, None, 0]\n        return x.permute(2, 0, 1)",
    ],
)
def test_what_is_broadcast_with_fewer_dimensions_to_a_known_rank_has_that_rank(
    use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = annotated(f"    def forward(self, x):\n        {use}\n", tmp_path, monkeypatch)
    annotation = text.split("x: ")[1].split('"')[1]
    assert len(annotation.split()) == 3
    assert "..." not in annotation


def test_what_is_broadcast_with_as_many_dimensions_may_have_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forward = """    def forward(self, x):
        x = F.relu(x) + self.positions[None]
        return self.inner(x.permute(1, 0, 2))
"""
    assert 'x: Shaped[Tensor, " ..."]' in annotated(forward, tmp_path, monkeypatch)


def test_a_tensor_that_is_changed_in_place_has_the_rank_of_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forward = """    def forward(self, x):
        x += self.positions[None]
        b, t, d = x.shape
        return self.inner(x)
"""
    text = annotated(forward, tmp_path, monkeypatch)
    assert len(text.split("x: ")[1].split('"')[1].split()) == 3


def test_one_of_several_slices_keeps_the_number_of_dimensions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forward = """    def forward(self, x, several: bool):
        b, t, d = x.shape
        if several:
            part = slice(1, None)
        else:
            part = slice(0, 1)
        return x[:, part, :]
"""
    assert '-> Shaped[Tensor, "b _ d"]' in annotated(forward, tmp_path, monkeypatch)
