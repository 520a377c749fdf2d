"""shape-mismatch and silent-broadcast: a tensor and its own reduction, whose dimensions are aligned with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FUNCTION = """
def f(x: Tensor, y: Tensor, count: int):
    b, n, d = x.shape
    rows, columns = y.shape
    {}
    return x
"""

FOUND = {
    "rows divided by their norms": "y = y / y.norm(dim=1)",
    "rows divided by their sums": "y = y / y.sum(-1)",
    "with the order of the norm": "y = y / y.norm(2, 1)",
    "in place": "y /= y.sum(1)",
    "the maximum and its index": "y = y - y.max(dim=1)[0]",
    "a product": "y = y * torch.mean(y, 1)",
    "with a number added": "y = y / (y.sum(1) + 1e-6)",
    "behind a lower limit": "y = y / y.norm(dim=1).clamp(min=1e-6)",
    "a reduction of the squares": "y = y / y.pow(2).sum(1).sqrt()",
    "the middle dimension": "x = x - x.mean(1)",
    "the last of three dimensions": "x = x / x.exp().sum(-1)",
    "with a new first dimension": "x = x / x.sum(-1).unsqueeze(0)",
}

QUIET = {
    "keepdim": "y = y / y.sum(1, keepdim=True)",
    "a new last dimension": "y = y / y.norm(dim=1)[:, None]",
    "the first dimension": "y = (y - y.mean(0)) / y.std(0)",
    "all dimensions": "y = y / y.sum()",
    "all but the last dimension": "x = x - x.mean((0, 1))",
    "the transposed tensor": "y = y.t() / y.sum(1)",
    "two reductions": "y = y.sum(1) / y.pow(2).sum(1)",
    "another tensor": "y = y * x.new_zeros(rows)",
    "a square matrix, whose columns are scaled": "k = y.new_zeros(count, count); k = k - k.mean(0)",
    "a matrix of equal sizes": "assert rows == columns; y = y - y.mean(0)",
}


UNKNOWN_SIZE = """
def f(x, weigh):
    y = torch.softmax(x, dim=1)
    c = torch.mm((y * weigh(y).view(-1, 1)).t(), {})
    return c / torch.sum(c, dim=1)
"""


def test_a_square_matrix_of_a_size_that_is_not_known(tmp_path: Path) -> None:
    assert reported(tmp_path, UNKNOWN_SIZE.format("y")) == []
    (found,) = reported(tmp_path, UNKNOWN_SIZE.format("torch.ones(len(x), 3)"))
    assert found[1] == "shape-mismatch"


@pytest.mark.parametrize("statement", FOUND.values(), ids=FOUND)
def test_found(statement: str, tmp_path: Path) -> None:
    source = FUNCTION.format(f"{statement}  # HERE")
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert "unless" in message


@pytest.mark.parametrize("statement", QUIET.values(), ids=QUIET)
def test_quiet(statement: str, tmp_path: Path) -> None:
    assert reported(tmp_path, FUNCTION.format(statement)) == []


def test_the_message_shows_the_shape_that_is_expected(tmp_path: Path) -> None:
    ((_, _, message),) = reported(tmp_path, FUNCTION.format("y = y / y.norm(dim=1)"))
    assert message == (
        "/: cannot broadcast (rows, columns) and (rows,) unless columns equals rows; expected (rows, 1): "
        "pass keepdim=True to the reduction"
    )


OPEN = """
class Norm(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        {}
        return (x - u) / torch.sqrt(v + 1e-6)
"""
KEPT = "x.pow(2).mean(1, keepdim=True)"


@pytest.mark.parametrize(
    "statements",
    [f"u = x.mean(1)\n        v = {KEPT}", "u = x.mean(1, keepdim=True)\n        v = (x - u).pow(2).mean(1)"],
)
def test_a_variable_that_holds_the_reduction_of_a_tensor_of_any_rank(statements: str, tmp_path: Path) -> None:
    source = OPEN.format(statements)
    ((_, code, message),) = reported(tmp_path, source)
    assert code == "shape-mismatch"
    assert message.endswith("reduction along dimension 1 are not aligned: pass keepdim=True to the reduction")


@pytest.mark.parametrize("mean", ["x.mean(1, keepdim=True)", "x.mean()", "x.mean(1)\n        u = u.unsqueeze(1)"])
def test_a_variable_that_holds_something_else(mean: str, tmp_path: Path) -> None:
    assert reported(tmp_path, OPEN.format(f"u = {mean}\n        v = {KEPT}")) == []


SQUEEZED = """
def confusion(pairs: Tensor, n: int):
    table = pairs.bincount(minlength=n * n).reshape(n, {}).squeeze().float()
    return {}
"""


@pytest.mark.parametrize("result", ["table / table.sum(-1)", "table / table.sum(1)"])
def test_a_squeezed_square_matrix(result: str, tmp_path: Path) -> None:
    ((_, code, message),) = reported(tmp_path, SQUEEZED.format("n", result))
    assert code == "silent-broadcast"
    assert "(n, n)" in message


@pytest.mark.parametrize(
    ("width", "result"),
    [("n", "table / table.sum(-1, keepdim=True)"), ("n", "table / table.sum(0)"), ("1", "table / table.sum(-1)")],
)
def test_a_squeezed_matrix_that_is_right(width: str, result: str, tmp_path: Path) -> None:
    assert reported(tmp_path, SQUEEZED.format(width, result)) == []


def test_a_tensor_of_unknown_rank(tmp_path: Path) -> None:
    source = "def f(w: Tensor):\n    w = w.squeeze()\n    return w / w.sum(-1)\n"
    assert reported(tmp_path, source) == []


def test_a_branch_that_is_off_by_default(tmp_path: Path) -> None:
    source = (
        "def f(pairs: Tensor, n: int, normalizes: bool = False):\n"
        "    table = pairs.bincount(minlength=n * n).reshape(n, n).float()\n"
        "    if normalizes:\n"
        "        table = table / table.sum(1)\n"
        "    return table\n"
    )
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (9, "silent-broadcast")


ANY_RANK = """
class Net(nn.Module):
    def __init__(self, dim, actions):
        super().__init__()
        self.value, self.advantage = nn.Linear(dim, 1), nn.Linear(dim, actions)

    def forward(self, x):
        value, advantage = self.value(x), self.advantage(x)
        return {}
"""


@pytest.mark.parametrize(
    "result",
    [
        "advantage - advantage.mean(1)",
        "value + advantage - advantage.mean(dim=1)",
        "advantage / advantage.pow(2).sum(1).sqrt().clamp(1e-6)",
    ],
)
def test_a_later_dimension_of_a_tensor_of_any_rank(result: str, tmp_path: Path) -> None:
    source = ANY_RANK.format(f"{result}  # HERE")
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert message.endswith("are not aligned: pass keepdim=True to the reduction")


@pytest.mark.parametrize(
    "result",
    [
        "advantage - advantage.mean(1, keepdim=True)",
        "advantage - advantage.mean(0)",
        "x - self.value(x).mean(-1)",
        "advantage - value.mean(1)",
        "advantage.transpose(0, 1) - advantage.mean(1)",
    ],
)
def test_other_reductions_of_a_tensor_of_any_rank(result: str, tmp_path: Path) -> None:
    assert reported(tmp_path, ANY_RANK.format(result)) == []


LAST = ["x / x.pow(2).mean(-1).sqrt()", "x - x.mean(dim=-1)", "x / (x.norm(dim=-1) + 1e-6)"]


@pytest.mark.parametrize("result", LAST)
def test_the_last_dimension_in_a_forward(result: str, tmp_path: Path) -> None:
    source = ANY_RANK.format(f"{result}  # HERE")
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert "not aligned unless it is 1-D" in message


def test_the_last_dimension_of_what_may_be_a_vector(tmp_path: Path) -> None:
    assert reported(tmp_path, "def unit(x: Tensor):\n    return x / x.norm(dim=-1)\n") == []


def test_a_number_of_classes_that_a_function_finds(tmp_path: Path) -> None:
    source = """
def classes(labels: Tensor, count=None) -> int:
    return int(labels.max().item() + 1) if count is None else count

def confusion(pairs: Tensor, count=None):
    count = classes(pairs, count)
    table = torch.bincount(pairs, minlength=count ** 2).reshape(count, count).float()
    return table / table.sum(-1)  # HERE
"""
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "silent-broadcast")
