"""A call in a branch that forwards what its function receives: the branch may be for other callers."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """
import torch
from torch import nn

"""
QUIET = {
    "a conditional expression": """
        class Wrapped(nn.Module):
            def __init__(self, *args, layer=None, **kwargs):
                super().__init__()
                self.layer = nn.Conv2d(*args, **kwargs) if layer is None else layer

        def wrapped(layer):
            return Wrapped(layer=layer)
        """,
    "`or`": """
        class Wrapped(nn.Module):
            def __init__(self, *args, layer=None):
                super().__init__()
                self.layer = layer or nn.Linear(*args)

        def wrapped(layer):
            return Wrapped(layer=layer)
        """,
    "a statement": """
        class Wrapped(nn.Module):
            def __init__(self, layer=None, **options):
                super().__init__()
                if layer is None:
                    layer = nn.LayerNorm(**options)
                self.layer = layer

        def wrapped(layers):
            return [Wrapped(one) for one in layers]
        """,
    "a function that the branch calls": """
        def made(*args):
            return nn.Linear(*args)

        def chosen(layer, *args):
            return made(*args) if layer is None else layer

        def wrapped(layer):
            return chosen(layer)
        """,
}
FOUND = {
    "no branch": """
        class Wrapped(nn.Module):
            def __init__(self, *args):
                super().__init__()
                self.layer = nn.Linear(*args)

        Wrapped(3)
        """,
    "nothing is forwarded": """
        def chosen(layer):
            return nn.Linear(3) if layer is None else layer
        """,
}


def _codes(folder: Path, program: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(program))
    return [one.code for one in check([path])]


@pytest.mark.parametrize("name", QUIET)
def test_another_caller_may_pass_the_arguments(name: str, tmp_path: Path) -> None:
    assert _codes(tmp_path, QUIET[name]) == []


@pytest.mark.parametrize("name", FOUND)
def test_every_caller_passes_too_few(name: str, tmp_path: Path) -> None:
    assert _codes(tmp_path, FOUND[name]) == ["wrong-call"]


def test_what_follows_from_a_refused_call_is_one_finding(tmp_path: Path) -> None:
    program = """
        def scaled(x):
            y = torch.zeros(2, 3, 4) * torch.zeros(2, 5, 4)
            z = y + torch.zeros(7, 4)
            return z.view(2, 2, 2, 2) @ torch.zeros(5, 5)
        """
    assert _codes(tmp_path, program) == ["shape-mismatch"]
