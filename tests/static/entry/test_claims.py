"""Shapes in docstrings and comments: names of sizes, ranks of otherwise unknown arguments, and what may be reported."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.diagnostics import Diagnostic, Severity
from shapecheck.static import check
from shapecheck.static.entry.checker import Checker
from shapecheck.static.observing.observer import RunObserver
from shapecheck.static.observing.shapes import assigned_names
from shapecheck.static.observing.statistics import run_statistics

HEAD = "import torch\nfrom shapecheck import reveal_shape\nfrom torch import Tensor, nn\n"
NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.fc = nn.Conv2d(3, 8, 3), nn.Linear(16, 8)

    def forward({}):
        {}
"""


def program(folder: Path, source: str) -> Path:
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(source))
    return path


def net(parameters: str, docstring: str, body: str) -> str:
    lines = [f'"""{docstring}"""', *textwrap.dedent(body).strip().splitlines()]
    return NET.format(f"self, {parameters}", "\n        ".join(lines))


def assigned(path: Path) -> dict[str, str]:
    """The shapes of assigned names, as `--show-shapes` writes them."""
    watch = RunObserver()
    checker = Checker([path], watch=watch)
    checker.findings(path, set())
    loaded = checker.project.load(path)
    assert loaded is not None
    return {one.name: one.text() for one in assigned_names(watch, loaded.tree)}


RANKS = {
    "a docstring": (net("x", "x (Tensor): of shape (B, T, D)", "y = x * 2"), "(B, T, D)"),
    "a docstring, annotated": (net("x: Tensor", "x: (B, T, D)", "y = x * 2"), "(B, T, D)"),
    "a comment": (net("x", "", "# x: (B, T, D)\ny = x * 2"), "(B, T, D)"),
    "fixed sizes are not taken over": (net("x", "x: (B, 3, H)", "y = x * 2"), "(B, d1, H)"),
    "what the code shows is kept": (net("x", "x: (B, T, D)", "y = self.fc(x)"), "torch.float32 (B, T, 8)"),
    "an optional argument": (net("x, z=None", "z (Tensor): (B, T)", "if z is not None:\n    y = z * 2"), "(B, T)"),
    "names, where the code shows the rank": (
        net("x", "x: (N, C, H, W)", "y = x * 2\nself.conv(y)"),
        "(N, 3, H, W)",
    ),
    "two arguments": (net("x, z", "x: (B, T)\n        z: (B, T)", "y = x + z"), "(B, T)"),
    "a function": ('def f(x):\n    """x (Tensor): (B, T)"""\n    y = torch.relu(x)\n', "(B, T)"),
    "the method of a base class": (
        net("x", "x: (B, T)", "return x") + "\nclass Sub(Net):\n    def forward(self, x):\n        y = x * 2\n",
        "(B, T)",
    ),
    "alternatives of one rank": (net("x", "x: (B, T) or (B, 1)", "y = x * 2"), "(B, T)"),
    "any number of dimensions": (net("x", "x: (*, H, W)", "y = x * 2"), "(..., H, W)"),
}
UNKNOWN = {
    "several ranks": net("x", "x: (B, T) or (T,)", "y = x * 2"),
    "a list": net("x", "x (list of Tensor): each (B, T)", "y = x * 2"),
    "another rank than the code requires": net(
        "x", "x: (B, T)", "y = x * 2\nself.conv(x[:, :, None])\nx.permute(0, 1, 2)"
    ),
}


@pytest.mark.parametrize("name", RANKS)
def test_ranks(name: str, tmp_path: Path) -> None:
    source, expected = RANKS[name]
    assert assigned(program(tmp_path, source))["y"] == expected


@pytest.mark.parametrize("name", UNKNOWN)
def test_no_rank(name: str, tmp_path: Path) -> None:
    assert "B" not in assigned(program(tmp_path, UNKNOWN[name])).get("y", "")


def test_statistics_count_them_apart(tmp_path: Path) -> None:
    path = program(tmp_path, net("x, z", "x: (B, T, D)", "y = x * 2\nreturn self.conv(z)"))
    watch = RunObserver()
    checker = Checker([path], watch=watch)
    checker.findings(path, set())
    loaded = checker.project.load(path)
    assert loaded is not None
    figures = run_statistics(checker.session, watch, [loaded])
    assert (figures.expressions, figures.rank, figures.claimed) == (4, 4, 2)


def test_messages_use_the_names(tmp_path: Path) -> None:
    path = program(tmp_path, net("x", "x: images (batch, channels, rows, w)", "self.conv(x)\nreturn x.permute(0, 1)\n"))
    (found,) = check([path])
    assert found.severity is Severity.ERROR
    assert found.message.endswith("(input of shape (batch, 3, rows, w))")


# -- what is reported

PLAIN = "h = x.mean(1)\nreturn h.permute(0, 2, 1)"
MEAN = "h = x.mean(1)  # (B, D)\nif h.requires_grad:\n    h.permute(0, 2, 1)\nreturn h"
FOUND = {
    "another claim excludes other ranks": net("x: Tensor", "x: (B, T, D)", MEAN),
    "the result excludes other ranks": net(
        "x: Tensor",
        "x: (B, T, D)\n\n        Returns:\n            (B, D)\n        ",
        "h = x.mean(1)\nif h.requires_grad:\n    h.permute(0, 2, 1)\nreturn h",
    ),
    "a comment in the signature": net("x: Tensor", "", MEAN).replace("x: Tensor):", "x: Tensor):  # x: (B, T, D)"),
}
SILENT = {
    "another rank works": net("x: Tensor", "x: (B, T, D)", PLAIN),
    "another rank works in this branch": net(
        "x: Tensor, video: bool",
        "x: (B, C, H)",
        "if video:\n    return x.mean(1).permute(0, 2, 1)\nreturn x.permute(2, 0, 1)",
    ),
    "the code has another rank": net("x: Tensor", "x: (B, T, D)", "x.permute(0, 1, 2, 3)\n" + MEAN),
    "the rank is as claimed": net("x: Tensor", "x: (B, T, D)", "h = x.mean(1)  # (B, D)\nreturn h.permute(1, 0)"),
    "a wrong size": net("x: Tensor", "x: (B, 3, H, W)", "return nn.Linear(4, 2)(x)"),
    "names that differ": net("x, y", "x: (B, T)\n        y: (B, D)", "return x + y"),
    "a claim of several ranks": net("x: Tensor", "x: (B, T, D) or (B, T, N, D)", MEAN),
    "a claim of any rank": net("x: Tensor", "x: (*, D)", MEAN),
    "a claim about a list": net("x", "x (list of Tensor): (B, T, D)", MEAN),
    "a test of the rank": net(
        "x: Tensor", "x: (B, T, D)", "h = x.mean(1)  # (B, D)\nif h.dim() == 3:\n    h.permute(0, 2, 1)"
    ),
    "a later call with another rank": net("x: Tensor", "x: (B, T, D)", MEAN)
    + "\n\ndef use():\n    return Net()(torch.zeros(2, 3, 4, 5))\n",
    "a jaxtyping annotation": "from jaxtyping import Float\n"
    + net('x: Float[Tensor, "a b c d"]', "x: (B, T, D)", MEAN),
}


def found_in(folder: Path, source: str) -> list[Diagnostic]:
    return [one for one in check([program(folder, source)]) if one.code != "discarded-result"]


def test_a_rank_that_the_code_requires_needs_no_claim(tmp_path: Path) -> None:
    (found,) = found_in(tmp_path, net("x: Tensor", "x: (B, T, D)", "x.mean(2).permute(1, 0)\n" + PLAIN))
    assert (found.code, found.severity) == ("shape-mismatch", Severity.ERROR)


@pytest.mark.parametrize("name", FOUND)
def test_warnings_quote_the_claim(name: str, tmp_path: Path) -> None:
    (found,) = found_in(tmp_path, FOUND[name])
    assert (found.code, found.severity) == ("shape-mismatch", Severity.WARNING)
    source = "comment" if "comment" in name else "docstring"
    note = found.notes[-1]
    assert note.message == f"found with the rank that the {source} claims for x: (B, T, D)"
    line = (tmp_path / "program.py").read_text().splitlines()[note.line - 1]
    assert line[note.column - 1 :].startswith("(B, T, D)")


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_reported_if_the_claim_may_be_wrong(name: str, tmp_path: Path) -> None:
    assert found_in(tmp_path, SILENT[name]) == []
