from __future__ import annotations

import pytest

from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n"
LAYERS = (
    HEAD
    + """
class Head(nn.Module):
    def __init__(self, hidden=256):
        super().__init__()
        self.up = nn.Linear(64, hidden)
        self.out = nn.Linear(128, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.up(x))
"""
)
EDITS = {
    "a broadcast": (
        "p = nn.Linear(16, 1)(torch.randn(32, 16))\ny = torch.randn(32)\ne = (p - y) ** 2\n",
        "e = (p",
        "Squeeze dimension 1 of p",
        "e = (p.squeeze(1) - y) ** 2",
    ),
    "the other operand of a broadcast": (
        "p = nn.Linear(16, 1)(torch.randn(32, 16))\ny = torch.randn(32)\ne = (p - y) ** 2\n",
        "e = (p",
        "Unsqueeze dimension 1 of y",
        "e = (p - y.unsqueeze(1)) ** 2",
    ),
    "a view": (
        "x = torch.randn(2, 8, 16, 64)\ny = x.transpose(1, 2).view(2, 16, 512)\n",
        "y = x",
        "Replace view by reshape, which copies if necessary",
        "y = x.transpose(1, 2).reshape(2, 16, 512)",
    ),
    "a copy before a view": (
        "x = torch.randn(2, 8, 16, 64)\ny = x.transpose(1, 2).view(2, 16, 512)\n",
        "y = x",
        "Insert .contiguous() before view",
        "y = x.transpose(1, 2).contiguous().view(2, 16, 512)",
    ),
    "a squeeze of every dimension": (
        LAYERS.removeprefix(HEAD)
        .replace("Linear(128, 10)", "Linear(hidden, 1)")
        .replace(
            "return self.out(self.up(x))",
            "b, _, _ = x.shape\n        return self.out(self.up(x.view(b, 64))).squeeze()",
        ),
        "return self.out",
        "Squeeze dimension 1 only",
        "self.up(x.view(b, 64))).squeeze(1)",
    ),
    "a direct forward": (
        "model = nn.Linear(2, 4)\ny = model.forward(torch.ones(3, 2))\n",
        "y = model",
        "Call model() instead of forward",
        "y = model(torch.ones(3, 2))",
    ),
    "another dtype": (
        "mean = torch.zeros(3, 1, 1, dtype=torch.float64)\nimage = torch.rand(3, 8, 8) - mean\n",
        "image =",
        "Convert mean to torch.float32",
        "- mean.to(torch.float32)",
    ),
    "a softmax": ("y = F.softmax(torch.randn(2, 5, 7))\n", "y = F", "Pass dim=-1", "torch.randn(2, 5, 7), dim=-1)"),
    "a keyword": (
        "y = torch.cat((torch.ones(2), torch.ones(2)), axes=0)\n",
        "y = torch",
        "Replace axes by dim",
        "torch.ones(2)), dim=0)",
    ),
    "a method": ("torch.ones(()).backwards()\n", "torch.ones", "Replace backwards by backward", ").backward()"),
    "a layer": (
        LAYERS.removeprefix(HEAD),
        "return self.out",
        "Replace 128 by hidden where the layer is built",
        "nn.Linear(hidden, 10)",
    ),
}


@pytest.mark.parametrize("kind", EDITS)
async def test_an_edit_removes_the_finding(editor: Editor, kind: str) -> None:
    text, place, title, expected = EDITS[kind]
    editor.open("a.py", HEAD + text)
    assert await editor.diagnostics("a.py")
    actions = await editor.actions("a.py", place)
    assert expected in editor.apply("a.py", actions[title])
    assert await editor.diagnostics("a.py") == []


async def test_an_edit_that_does_not_help_is_not_offered(editor: Editor) -> None:
    editor.open("a.py", HEAD + "x = torch.ones(2, 3) + torch.ones(2, 1, 5)\n")
    assert await editor.codes("a.py") == [(5, "shape-mismatch")]
    assert not [title for title in await editor.actions("a.py", "x = ") if "queeze" in title]


async def test_a_comment_suppresses_a_finding(editor: Editor) -> None:
    await suppress(editor)


async def test_a_comment_suppresses_a_finding_in_any_editor(plain_editor: Editor) -> None:
    await suppress(plain_editor)


async def suppress(editor: Editor) -> None:
    editor.open("a.py", HEAD + "x = torch.ones(2, 3) @ torch.ones(2, 3)\n")
    assert await editor.diagnostics("a.py")
    actions = await editor.actions("a.py", "x = ")
    text = editor.apply("a.py", actions["Suppress shape-mismatch on this line"])
    assert text.endswith("torch.ones(2, 3)  # shapecheck: ignore[shape-mismatch]\n")
    assert await editor.diagnostics("a.py") == []


async def test_a_comment_gets_another_code(editor: Editor) -> None:
    line = "x = torch.ones(2, 3) @ torch.ones(2, 3)  # shapecheck: ignore[softmax-dim]\n"
    editor.open("a.py", HEAD + line)
    await editor.diagnostics("a.py")
    actions = await editor.actions("a.py", "x = ")
    text = editor.apply("a.py", actions["Suppress shape-mismatch on this line"])
    assert text.endswith("# shapecheck: ignore[softmax-dim, shape-mismatch]\n")


async def test_a_class_gets_a_typed_call(editor: Editor) -> None:
    editor.open("a.py", LAYERS)
    await editor.diagnostics("a.py")
    actions = await editor.actions("a.py", "self.out(")
    action = await editor.resolved(actions["Add a typed __call__ to Head"])
    text = editor.apply("a.py", action)
    assert "def __call__(self, x: torch.Tensor) -> torch.Tensor: ..." in text
    compile(text, "a.py", "exec")


async def test_a_function_gets_annotations(editor: Editor) -> None:
    editor.open("a.py", LAYERS.replace("Linear(128", "Linear(hidden"))
    await editor.diagnostics("a.py")
    actions = await editor.actions("a.py", "self.out(")
    text = editor.apply("a.py", await editor.resolved(actions["Annotate forward with shapes"]))
    assert 'x: Float[torch.Tensor, "*batch 64"]' in text
    compile(text, "a.py", "exec")


async def test_what_fix_writes_is_an_action_of_the_file(editor: Editor) -> None:
    editor.open("a.py", LAYERS)
    await editor.diagnostics("a.py")
    actions = await editor.actions("a.py", "import torch\n")
    text = editor.apply("a.py", await editor.resolved(actions["Apply shapecheck fix"]))
    assert "def __call__(self, x: torch.Tensor) -> torch.Tensor: ..." in text
    compile(text, "a.py", "exec")


async def test_a_client_that_cannot_ask_for_edits_later_gets_them_at_once(plain_editor: Editor) -> None:
    plain_editor.open("a.py", LAYERS)
    await plain_editor.diagnostics("a.py")
    actions = await plain_editor.actions("a.py", "self.out(")
    assert "def __call__" in plain_editor.apply("a.py", actions["Add a typed __call__ to Head"])
