"""Annotations of another text in a module that is imported through the hook."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

from shapecheck.runtime.errors import ShapeError
from shapecheck.runtime.hook import install_hook_with_annotations

PLAIN = '''"""A module."""
from __future__ import annotations

import torch


class Net(torch.nn.Module):
    def forward(self, x, *, mask=None):
        y = x * 2
        return y.missing if mask is not None else y
'''
ANNOTATED = (
    PLAIN.replace("import torch\n", "import torch\nfrom jaxtyping import Float\nfrom torch import Tensor\n")
    .replace("self, x, *", 'self, x: Float[\n        Tensor, "b 3"\n    ], *')
    .replace("=None):", '=None) -> Float[Tensor, "b 3"]:')
)


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> torch.nn.Module:
    file = tmp_path / "overlaid.py"
    file.write_text(PLAIN)
    monkeypatch.syspath_prepend(tmp_path)
    with install_hook_with_annotations(["overlaid"], {str(file.resolve()): ANNOTATED}):
        import overlaid  # type: ignore[import-not-found]  # noqa: PLC0415
    del sys.modules["overlaid"]
    made: torch.nn.Module = overlaid.Net()
    return made


def test_calls_are_checked_with_the_annotations(net: torch.nn.Module) -> None:
    assert net(torch.ones(2, 3)).shape == (2, 3)
    with pytest.raises(ShapeError, match=r"Net.forward\(x\): expected dimension 1"):
        net(torch.ones(2, 4))


def test_errors_have_the_lines_of_the_module(net: torch.nn.Module) -> None:
    with pytest.raises(AttributeError) as raised:
        net(torch.ones(2, 3), mask=1)
    lines = [entry.lineno + 1 for entry in raised.traceback if str(entry.path).endswith("overlaid.py")]
    assert lines == [PLAIN.splitlines().index("        return y.missing if mask is not None else y") + 1]
