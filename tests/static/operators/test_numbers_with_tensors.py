"""A tensor or an array that is scaled by a number of unknown value keeps its shape."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

SHAPES = {
    "an array by a power of a size": (
        """
        def f(x):
            b, n, d = x.shape
            return reveal_shape(x * d ** -0.5)
        """,
        "(b, n, d)",
    ),
    "a tensor by a power of a quotient of arguments": (
        """
        class Attention(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.q = nn.Linear(dim, dim)
                self.scale = (dim // heads) ** -0.5

            def forward(self, x: Float[Tensor, "b n d"]):
                return reveal_shape(self.q(x) * self.scale)
        """,
        "torch.float32 (b, n, dim)",
    ),
    "a tensor by what may be an argument": (
        """
        class Attention(nn.Module):
            def __init__(self, dim, scale=None):
                super().__init__()
                self.q = nn.Linear(dim, dim)
                self.scale = scale if scale is not None else dim ** -0.5

            def forward(self, x: Float[Tensor, "b n d"]):
                return reveal_shape(self.q(x) * self.scale)
        """,
        "torch.float32 (b, n, dim)",
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str, tmp_path: Path) -> None:
    source, shape = SHAPES[name]
    path, _ = lines_of(tmp_path, "from shapecheck import reveal_shape\n" + textwrap.dedent(source))
    (one,) = check([path])
    assert one.message == shape
