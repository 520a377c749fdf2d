from __future__ import annotations

import pytest

from tests.lsp.editor import Editor
from tests.lsp.test_hints import ATTENTION
from tests.lsp.test_references import ANNOTATED

pytestmark = pytest.mark.asyncio


async def test_a_tensor_has_shape_dtype_layout_and_origins(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    await editor.diagnostics("attention.py")
    text = await editor.hover("attention.py", "q.flatten")
    assert "torch.float32 (b, 8, t, 8), strides (64*t, 8, 64, 1)" in text
    assert "- b is dimension 0 of parameter x (attention.py:11)" in await editor.hover("attention.py", "x.shape")


async def test_a_layer_has_weights(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    await editor.diagnostics("attention.py")
    text = await editor.hover("attention.py", "self.q(x)", len("self."))
    assert "nn.Linear\nweight: torch.float32 (64, 64)\nbias: torch.float32 (64,)" in text


async def test_a_module_of_the_project_has_layers(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION + "\n\nmodel = Attention()\n")
    await editor.diagnostics("attention.py")
    assert "Attention\n  q: nn.Linear (64, 64)" in await editor.hover("attention.py", "model =")


async def test_a_size_says_where_it_comes_from_and_leads_there(editor: Editor) -> None:
    editor.open("sizes.py", "HEADS = 8\n")
    text = ATTENTION.replace("heads=8", "heads=HEADS").replace(
        "import torch\n", "import torch\nfrom sizes import HEADS\n"
    )
    editor.open("attention.py", text)
    await editor.diagnostics("attention.py")
    assert "size 8" in await editor.hover("attention.py", "self.heads, c", len("self."))
    assert await editor.definition("attention.py", "self.heads, c", len("self.")) == [("sizes.py", 1)]


async def test_other_names_are_left_to_other_servers(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    await editor.diagnostics("attention.py")
    assert await editor.hover("attention.py", "super") == ""
    assert await editor.definition("attention.py", "q.flatten") == []


async def test_the_place_moves_with_the_text(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    await editor.diagnostics("attention.py")
    editor.type("attention.py", "# a line\n" + ATTENTION + "x = (\n")
    assert "(b, 8, t, 8)" in await editor.hover("attention.py", "q.flatten")


async def test_an_annotation_has_the_bindings_of_each_call(editor: Editor) -> None:
    editor.open("pooled.py", ANNOTATED)
    await editor.diagnostics("pooled.py")
    assert await editor.hover("pooled.py", "b t d") == "\n".join(
        (
            "- `b=2, t=3, d=4` at `pooled(randn(2, 3, 4), randn(4))` (pooled.py:10)",
            "- `b=8, t=5, d=6` at `pooled(randn(8, 5, 6), randn(6))` (pooled.py:11)",
            "- `b=8, t=5, d=6` at `pooled(randn(8, 5, 6), randn(6))` (pooled.py:12)",
        )
    )


async def test_the_calls_of_an_annotated_function_may_be_in_another_open_file(editor: Editor) -> None:
    function, _, calls = ANNOTATED.partition("\n\n\npooled")
    editor.open("pooled.py", function + "\n")
    editor.open("use.py", f"from torch import randn\nfrom pooled import pooled\npooled{calls}")
    await editor.diagnostics("pooled.py")
    await editor.diagnostics("use.py")
    found = await editor.hover("pooled.py", "b t d")
    assert found.splitlines()[0] == "- `b=2, t=3, d=4` at `pooled(randn(2, 3, 4), randn(4))` (use.py:3)"


async def test_an_annotation_of_a_function_that_nobody_calls_has_no_bindings(editor: Editor) -> None:
    editor.open("pooled.py", ANNOTATED.partition("\n\n\npooled")[0] + "\n")
    await editor.diagnostics("pooled.py")
    assert await editor.hover("pooled.py", "b t d") == ""
