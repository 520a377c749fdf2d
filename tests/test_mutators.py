"""The mistakes that `benchmarks.mutations` plants, and how it tells bugs from mutants that are none."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.mutation_runs import observed, resized, same, seen
from benchmarks.mutators import mutants, place

CRUNCHER = (Path(__file__).resolve().parents[1] / "examples" / "cruncher.py").read_text()

PLANTED = [
    ("width", "nn.Linear(a, 3 * b)", ["nn.Linear(2 * a, 3 * b)", "nn.Linear(3 * b, a)", "nn.Linear(a, b)"]),
    ("width", "nn.LayerNorm(a + b)", ["nn.LayerNorm(2 * (a + b))"]),
    ("width", "nn.Dropout(a)", []),
    ("transpose", "x.transpose(1, 2)", ["x", "x.transpose(0, 2)"]),
    ("transpose", "x.permute(0, 2, 1)", ["x", "x.permute(0, 1, 2)", "x.permute(2, 0, 1)"]),
    ("keepdim", "x.mean(dim=1, keepdim=True)", ["x.mean(dim=1)"]),
    ("squeeze", "x.squeeze(1)", ["x", "x.squeeze()", "x.squeeze(0)"]),
    ("unsqueeze", "x.unsqueeze(-1)", ["x", "x.unsqueeze(0)"]),
    ("unsqueeze", "x[:, None]", ["x", "x[None]"]),
    ("unsqueeze", "x[:, 0]", []),
    ("view", "x.mT.reshape(a, b)", ["x.mT.view(a, b)"]),
    ("view", "x.contiguous().view(a)", ["x.view(a)"]),
    ("shared layer", "nn.ModuleList(Block(a) for _ in range(n))", ["nn.ModuleList([Block(a)] * n)"]),
    ("shared layer", "nn.Sequential(*[Block(a) for _ in range(n)])", ["nn.Sequential(*[Block(a)] * n)"]),
    ("shared layer", "nn.ModuleList(Block(a) for a in sizes)", []),
    ("matmul", "a @ x.mT", ["x.mT @ a"]),
    ("axis", "x.softmax(dim=-1)", ["x.softmax(dim=-2)", "x.softmax(dim=0)"]),
    ("axis", "torch.cat([x, y], dim=1)", ["torch.cat([x, y], dim=0)", "torch.cat([x, y], dim=2)"]),
    ("axis", "x.mean(dim=(2, 3))", ["x.mean(dim=(1, 2))", "x.mean(dim=(3,))"]),
    ("axis", "nn.LSTM(a, b, batch_first=True)", ["nn.LSTM(a, b)"]),
]


@pytest.mark.parametrize(("kind", "expression", "expected"), PLANTED)
def test_what_is_planted(kind: str, expression: str, expected: list[str]) -> None:
    found = [_value(one.source) for one in mutants("x", f"y = {expression}", {}) if one.kind == kind]
    assert sorted(found) == sorted(ast.unparse(ast.parse(one)) for one in expected)


@pytest.mark.parametrize(
    ("kind", "was", "expected"),
    [
        ("cast", {"Tensor"}, ["f(x).double()", "f(x).half()", "f(x).long()"]),
        ("cast", {"Tensor", 3}, []),
        ("cast", {"IntTensor"}, []),
        ("squeeze", {"Tensor"}, ["f(x).squeeze()"]),
        ("hard-coded size", {13}, ["13"]),
        ("hard-coded size", {13, 7}, []),
    ],
)
def test_what_a_run_has_shown_decides(kind: str, was: set[object], expected: list[str]) -> None:
    source = "y = f(x)"
    assignment = ast.parse(source).body[0]
    assert isinstance(assignment, ast.Assign)
    found = [_value(one.source) for one in mutants("x", source, {place(assignment.value): was}) if one.kind == kind]
    assert sorted(found) == expected


@pytest.mark.parametrize(
    "source",
    [
        "def main():\n    x.squeeze(1)",
        "if __name__ == '__main__':\n    x.squeeze(1)",
        "@dataclass\nclass Config:\n    x = y.squeeze(1)",
        "def f(x: g(y.squeeze(1))) -> g(y.squeeze(1)):\n    z: g(y.squeeze(1)) = 1",
    ],
    ids=["main", "script", "configuration", "annotation"],
)
def test_where_nothing_is_planted(source: str) -> None:
    assert mutants("x", source, {}) == []


def test_a_run_shows_sizes_and_tensors() -> None:
    shown = seen("import torch\ndef main():\n    x = torch.zeros(2, 3)\n    n = x.shape[1]\n    k = x.argmax(1)")
    assert {(line, value) for (line, *_), values in shown.items() for value in values} == {
        *((3, one) for one in (2, 3, "Tensor")),
        *((4, one) for one in (3,)),
        *((5, one) for one in (1, "IntTensor")),
    }


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("assert x.ndim == 2", "assert x.dim() == 2", "nothing can be seen"),
        ("x.mean(1, keepdim=True)", "x.double().mean(1, keepdim=True).float()", "nothing can be seen"),
        ("hidden: int = 32", "hidden: int = 33", "other sizes inside"),
        ("x.mean(1, keepdim=True)", "x.mean(0, keepdim=True)", "a bug"),
        ("return score.squeeze(1)", "return score.squeeze()", "a bug"),
        ("return score.squeeze(1)", "return score.squeeze(1).double()", "a bug"),
        ("return score.squeeze(1)", "return score.squeeze(1).detach()", "a bug"),
        ("nn.Linear(hidden, 1)", "nn.Linear(hidden, 2)", "a bug"),
        ("import torch\n", "import torch, nowhere_to_be_found\n", "a bug"),
    ],
)
def test_what_a_mutant_is(before: str, after: str, expected: str) -> None:
    assert before in CRUNCHER
    usual, found = observed("cruncher", CRUNCHER), observed("cruncher", CRUNCHER.replace(before, after))
    told = "nothing can be seen" if same(usual, found) else "other sizes inside" if resized(usual, found) else "a bug"
    assert told == expected


def _value(source: str) -> str:
    statement = ast.parse(source).body[0]
    assert isinstance(statement, ast.Assign)
    return ast.unparse(statement.value)
