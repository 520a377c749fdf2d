from __future__ import annotations

import pytest

from tests.lsp.editor import Editor
from tests.lsp.test_diagnostics import GOOD
from tests.lsp.test_hints import ATTENTION

pytestmark = pytest.mark.asyncio

ANNOTATED = """\
from jaxtyping import Float
from torch import Tensor, nn, randn


def pooled(x: Float[Tensor, "b t d"], scale: Float[Tensor, "d"]) -> Float[Tensor, "b d"]:
    b, t, d = x.shape
    return (x * scale).mean(1)


pooled(randn(2, 3, 4), randn(4))
pooled(randn(8, 5, 6), randn(6))
pooled(randn(8, 5, 6), randn(6))
"""
USES = ["head.py:6 hidden", "head.py:8 hidden", "head.py:9 hidden"]


@pytest.mark.parametrize("at", ["hidden=256", "256", "hidden)\n", "hidden, 10"])
async def test_a_default_is_used_where_it_is_passed_on(editor: Editor, at: str) -> None:
    editor.open("head.py", GOOD)
    await editor.diagnostics("head.py")
    assert await editor.references("head.py", at) == USES
    assert await editor.references("head.py", at, declaration=False) == USES[1:]


async def test_a_name_in_an_annotation_is_used_in_the_function(editor: Editor) -> None:
    editor.open("pooled.py", ANNOTATED)
    await editor.diagnostics("pooled.py")
    expected = [*(f"pooled.py:5 {name}" for name in ("x", "b", "b")), "pooled.py:6 b"]
    assert await editor.references("pooled.py", "b t d") == expected
    assert await editor.references("pooled.py", "b, t, d = x") == expected


async def test_a_size_without_a_number_is_used_in_the_shapes_of_its_method(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    await editor.diagnostics("attention.py")
    assert await editor.references("attention.py", "b, t, c") == [
        "attention.py:11 x",
        "attention.py:12 b",
        "attention.py:13 q",
        "attention.py:13 b",
    ]


async def test_a_size_of_another_file_is_used_in_the_open_files_that_import_it(editor: Editor) -> None:
    editor.open("sizes.py", "HEADS = 8\nOTHER = 8\n")
    editor.open("a.py", "import torch\nfrom sizes import HEADS, OTHER\n\nx = torch.zeros(HEADS, 2)\nprint(OTHER)\n")
    await editor.diagnostics("sizes.py")
    await editor.diagnostics("a.py")
    assert await editor.references("sizes.py", "HEADS") == ["sizes.py:1 HEADS", "a.py:4 x", "a.py:4 HEADS"]
    assert await editor.references("a.py", "HEADS, 2") == ["a.py:4 x", "a.py:4 HEADS", "sizes.py:1 HEADS"]


async def test_a_tensor_with_several_dimensions_has_no_references(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    await editor.diagnostics("attention.py")
    assert await editor.references("attention.py", "q = self.q") == []
    assert await editor.references("attention.py", "super") == []
