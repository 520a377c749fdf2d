"""silent-broadcast and loss-broadcast: `(n, 1)` with `(n,)` for each elementwise operator, however `n` is known."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

OPERATORS = [
    *("p - y", "y - p", "p + y", "p / y", "p * y", "p ** y", "p % y", "p // y"),
    *("p > y", "p == y", "(p > 0) & (y > 0)", "(p > 0) | (y > 0)", "(p > 0) ^ (y > 0)"),
    *("torch.sub(p, y)", "torch.mul(p, other=y)", "torch.sub(input=p, other=y)", "torch.pow(p, y)", "p.pow(y)"),
    *("torch.maximum(p, y)", "torch.minimum(p, y)", "torch.max(p, y)", "torch.min(p, other=y)", "torch.fmax(p, y)"),
    *("torch.atan2(p, y)", "torch.hypot(p, y)", "torch.fmod(p, y)", "torch.remainder(p, y)", "torch.rsub(p, y)"),
    *("torch.where(p > 0, p, y)", "torch.where(p > 0, y, 0.0)", "torch.where(y > 0, p, 0.0)", "p.where(p > 0, y)"),
    *("torch.lerp(p, y, 0.5)", "p.lerp(p, y)", "torch.addcmul(p, p, y)", "torch.addcdiv(p, p, y)"),
    *("torch.isclose(p, y)", "torch.allclose(p, y)", "torch.logical_and(p > 0, y > 0)", "torch.logaddexp(p, y)"),
    *("torch.clamp(p, min=y)", "p.clamp(y, 1 + y)", "torch.clamp_max(p, y)", "p.masked_fill(y > 0, 0.0)"),
    *("torch.xlogy(p, y)", "torch.copysign(p, y)", "torch.heaviside(p, y)", "F.pairwise_distance(p, y)"),
]
LOSSES = ["F.mse_loss(p, y)", "F.smooth_l1_loss(p, y)", "nn.L1Loss()(p, y)", "F.kl_div(p, y)"]
IN_PLACE = ["p.sub_(y)", "p.mul_(y)", "p.add_(y, alpha=2)", "p.addcmul_(p, y)", "p.clamp_(max=y)", "p.pow_(y)"]

SIZES = {
    "annotated": """
        def f(x: Float[Tensor, "b 16"], y: Float[Tensor, "b"]):
            p = nn.Linear(16, 1)(x)
            return {}  # HERE
        """,
    "unpacked": """
        def f(x):
            b, d = x.shape
            y, p = torch.rand(b), nn.Linear(16, 1)(x)
            return {}  # HERE
        """,
    "read": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.stem, self.head = nn.Conv2d(3, 16, 3), nn.Linear(16, 1)

            def forward(self, x):
                y, p = x.new_zeros(x.shape[0]), self.head(self.stem(x).mean((2, 3)))
                return {}  # HERE
        """,
    "behind leading dimensions": """
        def f(x: Tensor):
            p, y = x.norm(dim=-1, keepdim=True), x.sum(-1)
            return {}  # HERE
        """,
    "behind named dimensions": """
        def f(x: Float[Tensor, "*batch 16"]):
            p, y = nn.Linear(16, 1)(x), x.sum(-1)
            return {}  # HERE
        """,
}


CASES = [
    *(
        (operator, sizes)
        for operator in (*OPERATORS, *IN_PLACE)
        for sizes in ("annotated", "behind leading dimensions")
    ),
    *(
        (operator, sizes)
        for operator in ("p - y", "torch.where(p > 0, p, y)", "p.mul_(y)", "p.sub_(y)")
        for sizes in SIZES
    ),
]


@pytest.mark.parametrize(("operator", "sizes"), dict.fromkeys(CASES))
def test_operators(operator: str, sizes: str, tmp_path: Path) -> None:
    source = textwrap.dedent(SIZES[sizes]).format(operator)
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "silent-broadcast")
    assert message.startswith("both operands are broadcast: (")


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("loss", LOSSES)
def test_losses(loss: str, sizes: str, tmp_path: Path) -> None:
    source = textwrap.dedent(SIZES[sizes]).format(loss)
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "loss-broadcast")


QUIET = {
    "numbers with a column": 'def f(p: Float[Tensor, "b 1"]):\n    return torch.where(p > 0, p, 0.0), p.clamp(0, 1)',
    "a column with a column": (
        'def f(p: Float[Tensor, "b 1"], y: Float[Tensor, "b 1"]):\n'
        "    return torch.where(p > 0, p, y), torch.maximum(p, y), p.clamp(min=y), p.mul_(y)"
    ),
    "an axis inserted for every pair": (
        'def f(x: Float[Tensor, " n"], y: Float[Tensor, " n"]):\n'
        "    return torch.maximum(x[:, None], y), torch.where(x[:, None] > y, x[:, None], y), x[:, None] ** y"
    ),
    "an axis inserted before": (
        'def overlap(x: Float[Tensor, "n 4"], y: Float[Tensor, "n 4"]):\n'
        "    x = x.unsqueeze(1)\n"
        "    return torch.minimum(x[..., 2:], y[..., 2:]) - torch.maximum(x[..., :2], y[..., :2])"
    ),
    "a mask of pairs": (
        "def f(valid: Tensor):\n"
        "    n, = valid.shape\n"
        "    other = torch.ones(n).bool()\n"
        "    return valid.view(-1, 1) & valid, valid.view(n, 1) & other, torch.logical_or(valid.reshape(n, 1), other)"
    ),
    "powers of a column": 'def f(x: Float[Tensor, " n"], y: Float[Tensor, " n"]):\n    return x.view(-1, 1) ** y',
    "an assert of the shape": (
        'def f(x: Float[Tensor, "n 1"], y: Float[Tensor, " n"]):\n'
        "    mask = torch.maximum(x, y)\n"
        "    assert mask.shape == (len(x), len(y))\n"
        "    return mask"
    ),
    "pairs of a tensor of unknown rank": (
        "def f(x: Tensor):\n    x = x.exp()\n    return x[..., None] - x, x.unsqueeze(-1) * x"
    ),
    "an axis inserted behind leading dimensions": (
        "def f(x: Tensor):\n    m = x.amax(-1)\n    return m.unsqueeze(-1) - x.sum(-1), m[..., None] * x.mean(-1)"
    ),
    "a column view behind leading dimensions": (
        "def f(x: Tensor):\n    m = x.amax(-1)\n    m = m.reshape(*m.shape, 1)\n    return m - x.sum(-1)"
    ),
    "leading dimensions of different tensors": (
        "def f(x: Tensor, y: Tensor):\n    return x.norm(dim=-1, keepdim=True) - y.exp().sum(-1)"
    ),
    "a mean of all leading dimensions but one": (
        "def f(x: Tensor):\n    return x.mean(0, keepdim=True) - x.mean(0), x.mean(-2, keepdim=True) - x.mean(-2)"
    ),
    "the kept dimension": "def f(x: Tensor):\n    return x - x.mean(-1, keepdim=True), x.mean(-1) - x.norm(dim=-1)",
    "integers behind leading dimensions": ("def f(x: Tensor):\n    return x.argmax(-1, keepdim=True) - x.argmax(-1)"),
}


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
