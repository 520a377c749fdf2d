"""The parts of a tensor that is split into an unknown number: each has the requested size."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import lines_of

SHAPES = {
    "x.split(4, dim=1)": ["(b, 4, d)"] * 3,
    "torch.split(x, n, 1)": ["(b, n, d)"] * 3,
    "x.unbind(1)": ["(b, d)"] * 3,
}


@pytest.mark.parametrize("call", SHAPES)
def test_shapes(call: str, tmp_path: Path) -> None:
    source = f"""
    from shapecheck import reveal_shape
    def f(x: Float[Tensor, "b t d"], n: int):
        q, k, v = {call}
        reveal_shape(q)
        reveal_shape(k)
        return reveal_shape(v)
    """
    path, _ = lines_of(tmp_path, source)
    assert [one.message.removeprefix("torch.float32 ") for one in check([path])] == SHAPES[call]


def test_parts_that_are_multiplied_keep_their_sizes(tmp_path: Path) -> None:
    source = """
    from shapecheck import reveal_shape
    def f(x: Tensor):
        b, n, t, d = x.shape
        q, k, v = x.split(4, dim=1)
        return reveal_shape(q @ k.transpose(-1, -2) @ v)
    """
    path, _ = lines_of(tmp_path, source)
    assert [one.message for one in check([path])] == ["(b, 4, t, d)"]
