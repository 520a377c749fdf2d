"""Methods of modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import reported


@pytest.mark.parametrize(
    "call",
    [
        "nn.Transformer(16).generate_square_subsequent_mask()",
        "nn.Transformer.generate_square_subsequent_mask(device='cpu')",
    ],
)
def test_a_mask_without_a_size_is_no_internal_error(tmp_path: Path, call: str) -> None:
    assert not reported(tmp_path, call)


def test_a_mask_is_square(tmp_path: Path) -> None:
    source = "nn.Linear(4, 2)(nn.Transformer.generate_square_subsequent_mask(3))"
    assert [code for _, code, _ in reported(tmp_path, source)] == ["shape-mismatch"]
