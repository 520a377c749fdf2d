"""shape-mismatch of a reshape that only works if a size is 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

HEADS = "def f(x: Tensor, heads: int):\n    b, t, d = x.shape\n"

FOUND = {
    "heads added to the channels": HEADS + "    return x.reshape(b, t, d * heads)  # HERE\n",
    "heads that are still in the batch": """
        def merge(x: Tensor, heads: int):
            b, t, d = x.shape
            x = x.unflatten(0, (b // heads, heads)).transpose(1, 2)
            return x.reshape(b, t, d * heads)  # HERE
        """,
    "heads of the object": """
        class Attention(nn.Module):
            def __init__(self, dim: int, head_dim: int):
                super().__init__()
                self.heads = dim // head_dim

            def forward(self, x):
                b, t, d = x.shape
                return x.reshape(b, t, d * self.heads)  # HERE
        """,
}

FOUND |= {
    "heads that are not merged": """
        class Attention(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.heads, self.head_dim = config.heads, config.dim // config.heads
                self.value = nn.Linear(config.dim, config.dim)

            def forward(self, x):
                b, t, _ = x.shape
                v = self.value(x).view(b, t, self.heads, self.head_dim)
                return v.view(b, t, self.head_dim)  # HERE
        """,
}

QUIET = {
    "the only output of a layer, stored in the object": """
        class Head(nn.Module):
            def __init__(self, dim: int, out: int):
                super().__init__()
                self.outputs, self.out = out, nn.Linear(dim, out)

            def forward(self, x):
                b, n, d = x.shape
                return self.out(x).view(b, n)
        """,
    "a view in another dtype": """
        def f():
            packed = torch.zeros(32, 32, dtype=torch.uint8)
            return packed.view(torch.float32).view(torch.uint8)
        """,
    "heads taken from the channels": HEADS + "    return x.reshape(b, t, heads, d // heads)\n",
    "heads taken from the batch": HEADS + "    return x.reshape(b // heads, heads, t, d)\n",
    "another size": HEADS + "    return x.reshape(b, heads, -1)\n",
    "sizes that are not related": HEADS.replace("heads", "h") + "    return x.view(b, h, -1, d)\n",
    "the last dimension of a column": "def f(x: Tensor):\n    b, n, d = x.shape\n    return x.view(b, n)\n",
    "the last dimension of a column, by its shape": """
        def f(x: Tensor):
            if x.dim() == 3:
                x = x.reshape((x.shape[0], x.shape[1]))
            return x
        """,
    "the channel of a depth map": """
        def f(depth: Tensor):
            b, _, h, w = depth.shape
            raster = torch.zeros_like(depth).view(b, -1)
            return (raster.view(b, 1, h, w) > 0).float()
        """,
    "a function": "def f(x: Tensor):\n    b, n, d = x.size()\n    return torch.reshape(x * 2, (b, n))\n",
    "the size of another argument": """
        def f(x: Tensor, mask: Tensor):
            b, n = mask.shape
            _, c, _ = x.shape
            return mask.reshape(b, c, n)
        """,
    "the only output of a layer": """
        class Head(nn.Module):
            def __init__(self, dim: int, out: int):
                super().__init__()
                self.out = nn.Linear(dim, out)

            def forward(self, x):
                b, n, d = x.shape
                return self.out(x).view(b, n)
        """,
    "where the size is 1": HEADS + "    if t == 1:\n        return x.view(b, d)\n    return x\n",
    "a rank that is asserted": HEADS + "    assert heads == 1\n    return x.reshape(b, t, d * heads)\n",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, message),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "shape-mismatch")
    assert " unless " in message


def test_a_number_that_is_not_1_is_no_condition(tmp_path: Path) -> None:
    program = """
        def f(x: Tensor):
            b, n, d = x.shape
            return torch.stack([x, x], 1).view(b, n, d)  # HERE
        """
    ((line, code, message),) = reported(tmp_path, program)
    assert (line, code) == (place(program), "shape-mismatch")
    assert "b*d*n != 2*b*d*n elements" in message


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
