"""Which outer broadcasts are intended: the same table for `shapecheck check` and for guards."""

from __future__ import annotations

import ast
import textwrap
import warnings
from pathlib import Path

import pytest

import shapecheck
from shapecheck.conditions.intent import intent_of, mentions_pairs
from shapecheck.runtime.guards import GuardWarning
from shapecheck.static import check

HEAD = """\
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn
x, y = torch.rand(4), torch.rand(4)
column, other = torch.rand(4, 1), torch.rand(3)
"""

REPORTED = {
    "a column and a row": "column - y",
    "a row and a column": "y - column",
    "a column from a layer": "nn.Linear(8, 1)(torch.rand(4, 8)) - y",
    "a column by an intermediate name": "prediction = nn.Linear(8, 1)(torch.rand(4, 8)).sigmoid()\nprediction - y",
    "one inserted axis": "x[:, None] - y",
    "one unsqueezed axis": "x.unsqueeze(1) - y",
    "one axis unsqueezed by a function": "torch.unsqueeze(x, 1) - y",
    "one inserted axis, before": "wide = x[:, None]\nwide - y",
    "one unsqueezed axis, through an operator": "wide = x.unsqueeze(-1) * 2.0\nwide - y",
    "a column made by view": "x.view(-1, 1) - y",
    "a column made by reshape, before": "wide = x.reshape(4, 1)\nwide / y",
    "a column from keepdim": "torch.rand(4, 3).sum(1, keepdim=True) - y",
    "a column that was expanded": "x.view(4, 1).expand(4, 1) - y",
    "an unrelated word in the expression": "column - y.view(4)",
    "a random draw, twice": "torch.randn(4)[:, None] - torch.randn(4)",
    "a function, by name": "torch.sub(x[:, None], y)",
    "a method": "x[:, None].sub(y)",
    "a channel that should be a batch": "torch.rand(4, 1, 4) - torch.rand(4, 4)",
    "an assert of another shape": "difference = column - y\nassert difference.shape != (4, 1)",
    "an assert of the rank": "difference = column - y\nassert difference.ndim == 2",
    "an assert of another name": "difference = column - y\nassert column.shape == (4, 1)",
    "an assert after something else": "difference = column - y\nprint(1)\nassert difference.shape == (4, 4)",
    "an assert of one size": "difference = column - y\nassert difference.shape[0] == 4",
    "an assert of the last size": "difference = column - y\nassert difference.shape[1] == 4",
    "an assert of the shape of a mean": "mean = (column - y).mean()\nassert mean.shape == ()",
    "an annotation without axes": "difference: Tensor = column - y",
    "an annotation of any shape": 'difference: Float[Tensor, "..."] = column - y',
    "the mean over pairs of a name": "def f(p, t):\n    return ((p - t) ** 2).mean()\nf(column, y)",
}
SILENT = {
    "a product with one inserted axis": "x[:, None] * y",
    "positions with an inserted axis": "positions = torch.arange(4.0).unsqueeze(1)\npositions * torch.exp(y)",
    "positions, from the last to the first": "positions = torch.arange(4.0)[:, None]\ntorch.flip(positions, (0,)) * y",
    "positions minus others": "torch.arange(4.0)[:, None] - y",
    "complementary axes": "x[:, None] - y[None]",
    "complementary axes, with a slice": "x[:, None] - y[None, :]",
    "complementary axes, unsqueezed": "x.unsqueeze(1) - y.unsqueeze(0)",
    "complementary axes, by earlier names": "wide, high = x[:, None], y[None]\nwide - high",
    "complementary axes of another rank": "torch.rand(4, 4)[:, :, None] - torch.rand(4, 4, 4)[None]",
    "vectors of one set and another": "torch.rand(4, 3)[:, None] - torch.rand(5, 3)",
    "vectors of one set and another of its size": "torch.rand(4, 3)[:, None] - torch.rand(4, 3)",
    "no shared size": "column - other",
    "no shared size, inserted": "x[:, None] - other",
    "no shared size, by view": "x.view(-1, 1) * other",
    "no shared size, by keepdim": "torch.rand(4, 5).sum(1, keepdim=True) + other",
    "an offset per camera": "offset = torch.rand(4, 2)[:, None, None]\ntorch.rand(6, 8, 2) - offset",
    "a threshold per image": "torch.rand(4, 1, 1) + torch.rand(6, 8)",
    "a mask without the channel, of other images": "torch.rand(2, 1, 5, 5) + torch.rand(3, 5, 5)",
    "a transition per state": "torch.rand(3, 4, 1) + torch.rand(4, 4)",
    "a tensor with itself": "x[:, None] - x",
    "a tensor with itself, unsqueezed": "x - x.unsqueeze(1)",
    "a tensor with itself, by view": "x.view(-1, 1) - x",
    "a tensor with itself, by an earlier name": "wide = x[:, None]\nwide - x",
    "a tensor with itself, converted": "x.double().unsqueeze(1) - x.double()",
    "an attribute with itself": "class Net:\n    x = torch.rand(4)\nNet.x[:, None] - Net.x",
    "functions of two ranges": "n, k = torch.arange(4.0)[:, None], torch.arange(4.0)\ntorch.lgamma(n + 1) - k.log()",
    "a function of a range in a module of torch": "torch.special.gammaln(torch.arange(4.0)[:, None] + 1) - y",
    "two ranges": "torch.linspace(0, 1, 4)[:, None] - torch.linspace(0, 2, 4)",
    "two ranges by name": "i, j = torch.arange(4.0), torch.arange(4.0) + 1\ni[:, None] - j",
    "an assert of the shape": "difference = column - y\nassert difference.shape == (4, 4)",
    "an assert of named sizes": "n = m = 4\ndifference = column - y\nassert difference.shape == (n, m)",
    "an assert of a torch.Size": "difference = column - y\nassert difference.size() == torch.Size([4, 4])",
    "an assert of a list": "difference = column - y\nassert list(difference.shape) == [4, 4]",
    "an assert of a tuple, reversed": "difference = column - y\nassert (4, 4) == tuple(difference.shape)",
    "an assert of each size": (
        "difference = column - y\nassert difference.shape[0] == 4 and difference.shape[1] == 4, 'every pair'"
    ),
    "two asserts": "difference = column - y\nassert difference.size(0) == 4\nassert difference.size(1) == 4",
    "an assert of rank and shape": (
        "difference = column - y\nassert difference.dim() == 2 and difference.shape == (4, 4)"
    ),
    "torch._assert": "difference = column - y\ntorch._assert(difference.shape == (4, 4), 'every pair')",
    "an assert of what was computed from it": "square = (column - y) ** 2\nassert square.shape == (4, 4)",
    "an assert in a function": (
        "def f(p, t):\n    out = p - t\n    assert out.shape == (p.shape[0], t.shape[0])\n    return out\nf(column, y)"
    ),
    "an annotated name": 'difference: Float[Tensor, "n m"] = column - y',
    "an annotated name, as a string": "difference: 'Float[Tensor, \"4 4\"]' = column - y",
    "an annotated result": 'def f(p, t) -> Float[Tensor, "n m"]:\n    return p - t\nf(column, y)',
    "equal ranks": "torch.rand(4, 1) - torch.rand(1, 4)",
}
IN_SOURCE_ONLY = {
    "a comparison with one inserted axis": "x.long().unsqueeze(1) == y.long()",
    "a product with a column": "column * y",
    "named sizes": 'def f(p: Float[Tensor, "n 1"], t: Float[Tensor, " n"]):\n    return p - t',
    "an inserted axis of a named size": (
        'def f(p: Float[Tensor, " n"], t: Float[Tensor, " n"]):\n    return p[:, None] - t'
    ),
}
SILENT_IN_SOURCE = {
    "sizes with other names": 'def f(p: Float[Tensor, "n 1"], t: Float[Tensor, " m"]):\n    return p - t',
    "a causal mask": "torch.arange(4)[:, None] >= torch.arange(4)",
    "a causal mask by names": "rows = torch.arange(4)[:, None]\ncolumns = torch.arange(4)\ncolumns <= rows",
    "equal labels": "labels = y.long()\nlabels.view(-1, 1) == labels",
    "equal labels by a function": "torch.eq(y.unsqueeze(1), y)",
    "an assert of a mask": "mask = column == y\nassert mask.shape == (4, 4)",
    "an annotation that contradicts itself": 'difference: Float[Tensor, "4 4"] = y[:, None] * x',
}


def found(folder: Path, program: str) -> tuple[list[str], list[str]]:
    """The codes that are found in the source, and at run time."""
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(program) + "\n")
    with warnings.catch_warnings(), shapecheck.guard() as guard:
        warnings.simplefilter("ignore", GuardWarning)
        exec(compile(path.read_text(), str(path), "exec"), {"__name__": "program"})
    return [one.code for one in check([path])], [one.code for one in guard]


@pytest.mark.parametrize("program", REPORTED.values(), ids=REPORTED)
def test_reported_by_both(program: str, tmp_path: Path) -> None:
    assert found(tmp_path, program) == (["silent-broadcast"], ["silent-broadcast"])


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_silent_for_both(program: str, tmp_path: Path) -> None:
    assert found(tmp_path, program) == ([], [])


@pytest.mark.parametrize("program", IN_SOURCE_ONLY.values(), ids=IN_SOURCE_ONLY)
def test_reported_in_source(program: str, tmp_path: Path) -> None:
    assert found(tmp_path, program) == (["silent-broadcast"], [])


@pytest.mark.parametrize("program", SILENT_IN_SOURCE.values(), ids=SILENT_IN_SOURCE)
def test_silent_in_source(program: str, tmp_path: Path) -> None:
    assert found(tmp_path, program) == ([], [])


PAIRS_OF_A_LOSS = {
    "complementary axes": ("F.mse_loss(x[:, None], y[None])", []),
    "complementary axes of a layer": ("nn.L1Loss()(x.unsqueeze(1), target=y.unsqueeze(0))", []),
    "complementary axes of one size each": ("F.smooth_l1_loss(torch.rand(4, 1), y[None])", ["loss-broadcast"]),
    "one inserted axis": ("F.mse_loss(x[:, None], y)", ["loss-broadcast"]),
    "a column": ("F.mse_loss(column, y)", ["loss-broadcast"]),
    "one distribution and many": ("one = x.unsqueeze(0)\nF.kl_div(torch.log(one), torch.rand(3, 4))", []),
    "one axis that is not inserted": (
        "F.mse_loss(torch.rand(4, 3).mean(1, keepdim=True), torch.rand(4, 3))",
        ["loss-broadcast"],
    ),
}


@pytest.mark.filterwarnings("ignore:Using a target size")
@pytest.mark.parametrize(("program", "codes"), PAIRS_OF_A_LOSS.values(), ids=PAIRS_OF_A_LOSS)
def test_pairs_of_a_loss(program: str, codes: list[str], tmp_path: Path) -> None:
    assert found(tmp_path, program) == (codes, codes)


@pytest.mark.parametrize(
    "source",
    [
        *("x.view(-1, 1) - y", "x[:, None] - y", "x[:, np.newaxis] - y", "x.unsqueeze(1) - y", "x.expand_as(y) - y"),
        *(
            "torch.outer(x, y) - z",
            "outer_sum - y",
            "OuterSum - y",
            "pred_reshaped - y",
            "rearrange(x, 'n -> n 1') - y",
        ),
    ],
)
def test_words_for_pairs(source: str) -> None:
    assert mentions_pairs(source)


@pytest.mark.parametrize("source", ["router - y", "preview - y", "reviews - y", "none - y", "interviewer - y", "x - y"])
def test_parts_of_other_words(source: str) -> None:
    assert not mentions_pairs(source)


@pytest.mark.parametrize(
    ("block", "stated"),
    [
        ("z = a - b\nassert z.shape == (n, 3)", [(None, 3)]),
        ("z = a - b\nassert z.shape == w.shape == (n, 3)", []),
        ("z = a - b\nassert z.shape == (n, *rest)", []),
        ("z = a - b\nassert z.shape == sizes", []),
        ("z = a - b\nassert z.size(1) == 3\nassert z.size(0) == n", [(None, 3)]),
        ("z = a - b\nassert z.size(-1) == 3", []),
        ("self.z = a - b\nassert self.z.shape == [2, 3]", [(2, 3)]),
        ("z -= a - b\nself.assertEqual(z.shape, (2, 3))", [(2, 3)]),
        ("if c:\n    z = a - b\n    assert z.shape == (2, 3)", [(2, 3)]),
        ("try:\n    pass\nexcept E:\n    z = a - b\n    assert z.shape == (2, 3)", [(2, 3)]),
        ("z, w = a - b, 1\nassert z.shape == (2, 3)", []),
        ("print(a - b)\nassert z.shape == (2, 3)", []),
        ("z: Float[Tensor, '#b w=3'] = a - b", [(None, 3)]),
        ("z: Float[Tensor, '*b 3'] = a - b", []),
        ("z: 'not a type(' = a - b", []),
        ("z: dict[str, int] = a - b", []),
    ],
)
def test_stated_shapes(block: str, stated: list[tuple[int | None, ...]]) -> None:
    tree = ast.parse(block)
    (node,) = (one for one in ast.walk(tree) if isinstance(one, ast.BinOp))
    assert list(intent_of(tree, node).stated) == stated
