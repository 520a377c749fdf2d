"""Augmented assignment: `x += y` changes the tensor x, which keeps its shape and dtype."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "one row that would become six": ("x = torch.zeros(2, 1, 3)\nx += torch.zeros(2, 6, 3)  # HERE", "shape-mismatch"),
    "a dimension more": ("x = torch.zeros(2, 3)\nx -= torch.zeros(4, 2, 3)  # HERE", "shape-mismatch"),
    "a scalar that sums a vector": ("x = torch.tensor(0.0)\nx += torch.ones(4)  # HERE", "shape-mismatch"),
    "an attribute": (
        """
        class Mean(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("total", torch.zeros(1))

            def forward(self, x: Float[Tensor, "b 8"]):
                self.total += x.sum(0)  # HERE
        """,
        "shape-mismatch",
    ),
    "an item": ("x = [torch.zeros(1)]\nx[0] *= torch.zeros(4)  # HERE", "shape-mismatch"),
    "a part of a tensor": ("x = torch.zeros(5, 3)\nx[:1] += torch.zeros(2, 3)  # HERE", "shape-mismatch"),
    "in a loop": (
        "loss = torch.zeros(1)\nfor one in range(3):\n    loss += torch.ones(4)  # HERE",
        "shape-mismatch",
    ),
    "both of two shapes": (
        """
        def f(flag):
            x = torch.zeros(1) if flag else torch.zeros(1, 1)
            x += torch.zeros(2, 4)  # HERE
        """,
        "shape-mismatch",
    ),
    "integers divided": ("x = torch.arange(3)\nx /= 2  # HERE", "dtype-mismatch"),
    "integers and fractions": ("x = torch.arange(3)\nx += 0.5  # HERE", "dtype-mismatch"),
    "a mask of counts": ("x = torch.zeros(3) > 0\nx |= torch.arange(3)  # HERE", "dtype-mismatch"),
    "what follows": (
        "x = torch.zeros(2, 3)\nx += torch.zeros(2, 1)\nnn.Linear(4, 5)(x)  # HERE",
        "shape-mismatch",
    ),
}

QUIET = {
    "a smaller operand": "x = torch.zeros(2, 6, 3)\nx += torch.zeros(2, 1, 3)\nx -= torch.zeros(3)\nx *= 2",
    "numbers": "x = 0\nx += torch.zeros(4)\nx += torch.zeros(4)",
    "a matrix product is a new tensor": "x = torch.zeros(1, 3)\nx @= torch.zeros(3, 4)\nx += torch.zeros(1, 4)",
    "a dtype of the same kind": "x = torch.zeros(3).half()\nx += torch.zeros(3)\nx /= 2",
    "integers": "x = torch.arange(3)\nx += 1\nx //= 2\nx **= 2\nx &= torch.zeros(3) > 0",
    "bools": "x = torch.zeros(3) > 0\nx &= torch.zeros(3) > 1\nx *= True",
    "one of two shapes": """
        def f(flag):
            x = torch.zeros(2, 4) if flag else torch.zeros(1, 4)
            x += torch.zeros(2, 4)
            return x
        """,
    "a size that may be 1": """
        def f(x: Tensor):
            b, n, c = x.shape
            y = torch.zeros(1, n, c)
            y += x
            return y
        """,
    "an argument": "def f(x, y):\n    x += y\n    return x\n\nf(torch.zeros(4, 3), torch.zeros(3))",
    "arrays of numpy": "import numpy as np\nx = np.zeros((1, 3))\nx += np.ones((1, 3))\ny = 1.0\ny += np.ones(3)",
    "an expected failure": "x = torch.zeros(1)\ntry:\n    x += torch.zeros(3)\nexcept RuntimeError:\n    pass",
    "a list and a dict": "x = [1]\nx += [2]\ny = {}\ny |= {1: 2}",
    "the shape stays": (
        "x = torch.zeros(2, 3)\nx += torch.zeros(2, 1)\nnn.Linear(3, 5)(x)\nx = x.half()\nx += torch.zeros(3)\n"
        "nn.Linear(3, 5).half()(x)"
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    source, expected = FOUND[name]
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), expected)


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
