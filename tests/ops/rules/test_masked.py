"""torch.masked: the shapes of the plain operators, and a mask that broadcasts to the input."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import ShapeError, TensorSpec, infer
from tests.ops.laws import T, agree

X = TensorSpec(("b", "t", "d"), "float32", "contiguous")
MASK = TensorSpec(("t", 1), "bool")
INTS = TensorSpec((2, 3), "int32")


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "result"),
    [
        ("sum", (X,), {"mask": MASK}, "torch.float32 ()"),
        ("sum", (INTS, 0), {"keepdim": True}, "torch.int64 (1, 3)"),
        ("mean", (X, (1, 2)), {"mask": MASK}, "torch.float32 (b,)"),
        ("amax", (X, -1), {}, "torch.float32 (b, t)"),
        ("argmax", (X, 1), {}, "torch.float32 (b, d)"),  # of the input's dtype, unlike torch.argmax
        ("median", (X,), {}, "torch.float32 (b, t)"),
        ("norm", (TensorSpec((3,), "complex64"), 2.0), {}, "torch.float32 ()"),
        ("var", (INTS, 0, False), {}, "torch.float32 (3,)"),
        ("logsumexp", (X, 0), {}, "torch.float32 (t, d)"),
        ("cumsum", (X, 0), {"dtype": "float64"}, "torch.float64 (b, t, d)"),
        ("softmax", (X, -1), {"mask": MASK}, "torch.float32 (b, t, d)"),
        ("normalize", (X, 2.0, 1), {}, "torch.float32 (b, t, d)"),
        ("logaddexp", (X, X), {"input_mask": MASK}, "torch.float32 (b, t, d)"),
    ],
)
def test_what_they_give(name: str, args: Any, kwargs: Any, result: str) -> None:
    assert str(infer(f"torch.masked.{name}", *args, **kwargs)) == result


def test_a_mask_of_another_shape_is_refused() -> None:
    message = r"masked.mean: cannot expand the mask of shape \(b, t\) to \(b, t, d\), the shape of the input"
    with pytest.raises(ShapeError, match=message):
        infer("torch.masked.mean", X, 1, mask=TensorSpec(("b", "t"), "bool"))


@given(b=st.integers(1, 3), t=st.integers(1, 3), dim=st.sampled_from([-1, 0, (0, 1), (0,)]), keepdim=st.booleans())
@settings(max_examples=20, deadline=None)
def test_symbols_numbers_and_torch_agree(b: int, t: int, dim: Any, keepdim: bool) -> None:
    for name in ("sum", "prod", "mean", "amin", "std"):
        function = getattr(torch.masked, name)
        agree(
            f"masked.{name}",
            function,
            lambda b, t: (T(b, t), {"dim": dim, "keepdim": keepdim, "mask": T(t, dtype="bool")}),
            {"b": b, "t": t},
        )
