"""non-contiguous: views of transposed tensors whose sizes are only known by name, compared with torch."""

from __future__ import annotations

import inspect
import itertools
from pathlib import Path

import pytest
import torch

from .programs import reported

ATTENTION = """
class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.dim, 3 * config.dim)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).split(d, dim=2)
        k = k.view(b, t, self.heads, d // self.heads).transpose(1, 2)
        q = q.view(b, t, self.heads, d // self.heads).transpose(1, 2)
        v = v.view(b, t, self.heads, d // self.heads).transpose(1, 2)
        y = (q @ k.transpose(-2, -1)).softmax(-1) @ v
        return {joined}
"""
FOUND = {
    "heads": (ATTENTION.format(joined="y.transpose(1, 2).view(b, t, d)"), "2 and 3", ["t", "heads"]),
    "heads with -1": (ATTENTION.format(joined="y.transpose(1, 2).view(b, t, -1)"), "2 and 3", ["t", "heads"]),
    "batch and heads": (
        """
        class Queries(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.heads = heads
                self.q = nn.Linear(dim, dim)

            def forward(self, x):
                b, t, d = x.shape
                q = self.q(x).view(b, t, self.heads, -1).transpose(1, 2)
                return q.view(b * self.heads, t, -1)
        """,
        "0 and 1",
        ["b", "heads", "t"],
    ),
    "a known number of heads": (
        """
        def f(b, t):
            return torch.rand(b, 4, t, 16).transpose(1, 2).view(b, t, 64)
        """,
        "2 and 3",
        ["t"],
    ),
    "channels last": (
        """
        def f(x: Tensor):
            b, c, h, w = x.shape
            return x.contiguous().permute(0, 2, 3, 1).view(b * h * w, c)
        """,
        "0 and 1",
        ["b", "c"],
    ),
}
QUIET = {
    "reshape": ATTENTION.format(joined="y.transpose(1, 2).reshape(b, t, d)"),
    "contiguous": ATTENTION.format(joined="y.transpose(1, 2).contiguous().view(b, t, d)"),
    "axes that stay adjacent": """
        def f(x: Tensor):
            b, c, h, w = x.shape
            return x.contiguous().permute(0, 2, 3, 1).view(b, h * w, c)
        """,
    "a map that may be pooled": """
        class Net(nn.Module):
            def __init__(self, channels):
                super().__init__()
                self.conv = nn.Conv2d(3, channels, 3, stride=2)

            def forward(self, x):
                y = self.conv(x)
                return y.permute(0, 2, 3, 1).view(y.size(0), -1)
        """,
    "an argument, which may be transposed itself": """
        def f(x: Tensor):
            b, h, t, d = x.shape
            return x.transpose(1, 2).view(b, t, h * d)
        """,
    "a branch for one step": """
        def f(b, t):
            y = torch.rand(b, 4, t, 16)
            return y.transpose(1, 2).view(b, t, 64) if t == 1 else y
        """,
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, axes, ways = FOUND[name]
    ((_, code, message),) = reported(tmp_path, source)
    assert code == "non-contiguous"
    only = " or ".join(f"{one} is 1" for one in ways)
    assert f"dimensions {axes} are not contiguous unless {only}; use reshape()" in message


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []


ACCURACY = """
def accuracy(output, target, topk={topk}):
    batch_size = target.size(0)
    _, pred = output.topk(max(topk), 1, True, True)
    pred = pred.t()
    correct = pred.eq(target.view(1, -1).expand_as(pred))
    return [correct[:k]{flattened}.float().sum(0) * (100.0 / batch_size) for k in topk]
"""
"""Among the k best predictions, as in the examples of torch before release 1.5, which made `eq` contiguous."""


def test_rows_of_a_transposed_matrix(tmp_path: Path) -> None:
    ((_, code, message),) = reported(tmp_path, ACCURACY.format(topk="(1, 5)", flattened=".view(-1)"))
    assert (code, message) == (
        "non-contiguous",
        "view: cannot view (5, ?) as (5*?,): dimensions 0 and 1 are not contiguous unless the other size is 1;"
        " use reshape()",
    )


def test_one_row_by_default(tmp_path: Path) -> None:
    ((_, code, message),) = reported(tmp_path, ACCURACY.format(topk="(1,)", flattened=".view(-1)"))
    assert code == "off-default"
    assert message.endswith("use reshape() (fails whenever topk=(1, 5))")


@pytest.mark.parametrize("topk", ["(1, 5)", "(1,)"])
def test_a_copy(topk: str, tmp_path: Path) -> None:
    assert reported(tmp_path, ACCURACY.format(topk=topk, flattened=".reshape(-1)")) == []


@pytest.mark.parametrize("batch", [1, 2])
def test_torch_views_the_rows_only_of_a_batch_of_one(batch: int) -> None:
    names: dict[str, object] = {}
    exec(ACCURACY.format(topk="(1, 5)", flattened=".view(-1)"), names)
    accuracy = names["accuracy"]
    assert callable(accuracy)
    if batch == 1:
        accuracy(torch.rand(1, 10), torch.zeros(1, dtype=torch.int64))
    else:
        with pytest.raises(RuntimeError, match="view size is not compatible"):
            accuracy(torch.rand(batch, 10), torch.zeros(batch, dtype=torch.int64))


VIEWS = {
    "heads": lambda b, t, heads: torch.rand(b, heads, t, 4).transpose(1, 2).view(b, t, heads * 4),
    "batch and heads": lambda b, t, heads: torch.rand(b, t, heads, 4).transpose(1, 2).view(b * heads, t, 4),
    "a known number of heads": lambda b, t: torch.rand(b, 4, t, 16).transpose(1, 2).view(b, t, 64),
    "channels last": lambda b, c: torch.rand(b, c, 2, 3).permute(0, 2, 3, 1).view(b * 6, c),
}


@pytest.mark.parametrize("name", VIEWS)
def test_torch_makes_the_view_if_and_only_if_a_size_that_is_named_is_1(name: str) -> None:
    view, ways = VIEWS[name], FOUND[name][2]
    names = inspect.signature(view).parameters
    for numbers in itertools.product((1, 2, 3), repeat=len(names)):
        sizes = dict(zip(names, numbers, strict=True))
        if any(sizes[way] == 1 for way in ways):
            view(**sizes)
        else:
            with pytest.raises(RuntimeError, match="view size is not compatible"):
                view(**sizes)
