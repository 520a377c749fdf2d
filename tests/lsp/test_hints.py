from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio

ATTENTION = """\
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width=64, heads=8):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        q = self.q(x).view(b, t, self.heads, c // self.heads).transpose(1, 2)
        return q.flatten(2)
"""
UNKNOWN = """\
import torch


def load(path):
    data = torch.load(path)
    return data
"""


async def test_parameters_results_and_assigned_tensors_have_shapes(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    shown = await editor.shown("attention.py")
    assert "def forward(self, x«: (b, t, 64)»)« -> (b, 8, 8*t)»:" in shown
    assert "q«: (b, 8, t, 8)» = self.q" in shown


async def test_nothing_is_shown_where_nothing_is_known(editor: Editor) -> None:
    editor.open("load.py", UNKNOWN)
    assert await editor.hints("load.py") == []


async def test_an_annotated_shape_is_not_repeated(editor: Editor) -> None:
    annotated = ATTENTION.replace("forward(self, x)", 'forward(self, x: Float[torch.Tensor, "b t 64"])')
    editor.open("attention.py", "from jaxtyping import Float\n" + annotated)
    shown = await editor.shown("attention.py")
    assert 'x: Float[torch.Tensor, "b t 64"])« ->' in shown


async def test_hints_follow_an_edit(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    await editor.hints("attention.py")
    editor.replace("attention.py", "heads=8", "heads=4")
    await editor.diagnostics("attention.py")
    assert "q«: (b, 4, t, 16)» =" in await editor.shown("attention.py")


async def test_an_incomplete_text_keeps_the_hints_of_other_lines(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    await editor.hints("attention.py")
    editor.replace("attention.py", "return q.flatten(2)", "return q.flatten(")
    await editor.diagnostics("attention.py")
    shown = await editor.shown("attention.py")
    assert "q«: (b, 8, t, 8)» = self.q" in shown


async def test_a_client_that_cannot_be_told_to_ask_again_waits(plain_editor: Editor) -> None:
    plain_editor.open("attention.py", ATTENTION)
    plain_editor.replace("attention.py", "heads=8", "heads=4")
    assert "q«: (b, 4, t, 16)» =" in await plain_editor.shown("attention.py")


async def test_a_hint_leads_to_the_origin_of_its_sizes(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    await editor.diagnostics("attention.py")
    hints = await editor.hints("attention.py")
    one = next(hint for hint in hints if hint.label == ": (b, 8, t, 8)")
    resolved = await editor.client.inlay_hint_resolve_async(one)
    assert "b comes from self.q(x)" in resolved.tooltip.value
    assert resolved.label[0].location.uri == editor.uri("attention.py")


async def test_settings_hide_hints_or_add_dtypes(editor: Editor) -> None:
    editor.open("attention.py", ATTENTION)
    configure = editor.client.workspace_did_change_configuration
    configure(types.DidChangeConfigurationParams({"shapecheck": {"inlayHints": {"dtype": True, "parameters": False}}}))
    shown = await editor.shown("attention.py")
    assert "q«: float32 (b, 8, t, 8)» =" in shown
    assert "forward(self, x)«" in shown
    configure(types.DidChangeConfigurationParams({"shapecheck": {"inlayHints": {"enabled": False}}}))
    assert await editor.hints("attention.py") == []
