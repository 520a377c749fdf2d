"""scaled_dot_product_attention: heads, masks and grouped queries."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck import UNKNOWN, ShapeError, TensorSpec, infer
from tests.ops.laws import T, agree

SIZE = st.integers(1, 3)
SDPA = "F.scaled_dot_product_attention"


def spec(*axes: Any, dtype: str | None = "float32") -> TensorSpec:
    return TensorSpec(axes, dtype)


Q, K, V = spec("b", "h", "l", "e"), spec("b", "h", "s", "e"), spec("b", "h", "s", "v")


@pytest.mark.parametrize(
    ("arguments", "options", "result"),
    [
        ((Q, K, V), {}, "(b, h, l, v)"),
        ((Q, K, V, spec("l", "s", dtype="bool")), {}, "(b, h, l, v)"),
        ((Q, K, V, spec("b", 1, "l", "s")), {}, "(b, h, l, v)"),
        ((Q, K, V), {"is_causal": True, "dropout_p": 0.1, "scale": 1.0}, "(b, h, l, v)"),
        ((Q, K, V), {"is_causal": UNKNOWN, "dropout_p": UNKNOWN, "scale": UNKNOWN}, "(b, h, l, v)"),
        ((spec(2, 8, 5, 64), spec(2, 2, 7, 64), spec(2, 2, 7, 64)), {"enable_gqa": True}, "(2, 8, 5, 64)"),
        ((spec(5, 64), spec(7, 64), spec(7, 32)), {}, "(5, 32)"),
        ((spec(..., "l", "e"), spec(..., "s", "e"), spec(..., "s", "v")), {}, "(..., l, v)"),
    ],
)
def test_attention(arguments: tuple[Any, ...], options: dict[str, Any], result: str) -> None:
    assert str(infer(SDPA, *arguments, **options).shape) == result


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (
            (spec(2, 5, 64), spec(2, 7, 32), spec(2, 7, 32)),
            {},
            "expected query and key to have the same size in the last dimension, "
            "got shapes (2, 5, 64) and (2, 7, 32): 64 != 32",
        ),
        (
            (spec(2, 5, 64), spec(2, 7, 64), spec(2, 8, 64)),
            {},
            "expected key and value to have the same size in dimension -2, "
            "got shapes (2, 7, 64) and (2, 8, 64): 7 != 8",
        ),
        ((Q, K, V, spec("l", "s")), {"is_causal": True}, "attn_mask cannot be used with is_causal=True"),
        (
            (Q, K, V, spec("l", "s", dtype="int64")),
            {},
            "expected attn_mask to have dtype torch.bool or torch.float32, got torch.int64",
        ),
        (
            (spec(2, 5, 64), spec(2, 7, 64), spec(2, 7, 64), spec(5, 6)),
            {},
            "cannot expand attn_mask of shape (5, 6) to (2, 5, 7)",
        ),
        (
            (spec(2, 8, 5, 64), spec(2, 3, 7, 64), spec(2, 3, 7, 64)),
            {"enable_gqa": True},
            "expected the number of query heads to be divisible by the number of key heads, got 8 and 3",
        ),
        ((spec(2, 5, 64), spec(3, 7, 64), spec(3, 7, 64)), {}, "query, key and value: cannot broadcast (2,) and (3,)"),
        (
            (Q, K, spec("b", "h", "s", "v", dtype="float16")),
            {},
            "expected query and value to have the same dtype, got torch.float32 and torch.float16",
        ),
        ((spec(64), spec(64), spec(64)), {}, "expected a query with at least 2 dimensions, got shape (64,)"),
    ],
)
def test_attention_refuses(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        infer(SDPA, *arguments, **options)
    assert message in str(refused.value)


@given(b=SIZE, h=SIZE, n=SIZE, s=SIZE, e=SIZE, v=SIZE)
@settings(max_examples=15, deadline=None)
def test_attention_agrees_with_torch(b: int, h: int, n: int, s: int, e: int, v: int) -> None:
    sizes = {"b": b, "h": h, "n": n, "s": s, "e": e, "v": v}
    sdpa = torch.nn.functional.scaled_dot_product_attention
    agree(SDPA, sdpa, lambda b, h, n, s, e, v: (T(b, h, n, e), T(b, h, s, e), T(b, h, s, v)), sizes)
    agree(SDPA, sdpa, lambda b, h, n, s, e, v: (T(b, h, n, e), T(b, h, s, e), T(b, h, s, v), T(n, s)), sizes)


def test_the_kernels_of_aten() -> None:
    half = [spec(2, 4, 5, 8, dtype="float16"), spec(2, 4, 6, 8, dtype="float16"), spec(2, 4, 6, 8, dtype="float16")]
    result, sums, *_ = infer("torch.ops.aten._scaled_dot_product_flash_attention.default", *half)
    assert (str(result), str(sums)) == ("torch.float16 (2, 4, 5, 8)", "torch.float32 (2, 4, 5)")
    result, sums, *_ = infer("torch.ops.aten._scaled_dot_product_efficient_attention", *half, None, True)
    assert str(sums) == "torch.float32 (2, 4, 32)"
