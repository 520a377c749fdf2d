"""column-assignment: `(n, 1)` into `(n,)`, which torch accepts for an `n` of 1 alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "into one element of matrices": """
        def rotations(center: Tensor, angle: Tensor):
            (n, _), (m, one) = center.shape, angle.shape
            assert one == 1
            out = torch.zeros(n, 2, 3)
            out[..., 0, 0] = angle.cos()  # HERE
            return out
        """,
    "into a column": """
        def f(x: Tensor):
            n, d = x.shape
            out = torch.zeros(n, 3)
            out[:, 1] = nn.Linear(d, 1)(x)  # HERE
            return out
        """,
    "into a row": """
        def f(x: Tensor):
            n, d = x.shape
            out = torch.zeros(5, n)
            for i in range(5):
                out[i] = x.mean(1, keepdim=True)  # HERE
            return out
        """,
    "into selected elements": """
        def f(x: Tensor):
            n, d = x.shape
            out = torch.zeros(n)
            out[torch.randperm(n)] = x.sum(1, keepdim=True)  # HERE
            return out
        """,
    "put by index": """
        def f(x: Tensor):
            n, d = x.shape
            return torch.zeros(n).index_put_((torch.arange(n),), x.sum(1, keepdim=True))  # HERE
        """,
    "behind leading dimensions": """
        def f(x: Tensor):
            x = x.exp()
            out = torch.empty_like(x)
            out[..., 0] = x.norm(dim=-1, keepdim=True)  # HERE
            return out
        """,
}
QUIET = {
    "a vector into a vector": """
        def f(x: Tensor):
            n, d = x.shape
            out = torch.zeros(n, 3)
            out[:, 1] = nn.Linear(d, 1)(x)[:, 0]
            return out
        """,
    "a column into a column": """
        def f(x: Tensor):
            n, d = x.shape
            out = torch.zeros(n, 3)
            out[:, :1] = nn.Linear(d, 1)(x)
            out[:, 1:2] = x.mean(1, keepdim=True)
            return out
        """,
    "one row into a row": """
        def f(x: Tensor):
            n, d = x.shape
            out = torch.zeros(4, n)
            out[0] = x.mean(1)[None]
            return out
        """,
    "a single number": """
        def f(x: Tensor):
            n, d = x.shape
            out = torch.zeros(n)
            out[0] = nn.Linear(d, 1)(x[:1])
            out[1:2] = nn.Linear(d, 1)(x[1:2])
            return out
        """,
    "rows of one number": """
        def f(x: Tensor):
            n, d = x.shape
            out = torch.zeros(4, 1)
            for i in range(4):
                out[i] = nn.Linear(d, 1)(x)
            return out
        """,
    "the kept dimension behind leading ones": """
        def f(x: Tensor):
            x = x.exp()
            out = torch.empty_like(x)
            out[..., :1] = x.norm(dim=-1, keepdim=True)
            out[..., 0] = x.norm(dim=-1)
            return out
        """,
    "leading dimensions of different tensors": """
        def f(x: Tensor, out: Tensor):
            out[..., 0] = x.norm(dim=-1, keepdim=True)
            return out
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, message),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "column-assignment")
    assert message.startswith("cannot assign a value of shape (")


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []


def test_a_known_number_is_a_mismatch(tmp_path: Path) -> None:
    ((_, code, _),) = reported(tmp_path, "torch.zeros(4, 3)[:, 0] = torch.zeros(4, 1)")
    assert code == "shape-mismatch"
