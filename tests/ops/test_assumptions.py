"""What rules assume of inputs of unknown rank."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import TensorSpec, infer
from shapecheck.ops import assuming

OPEN, IMAGE = TensorSpec((...,), "float32"), TensorSpec(("n", 3, "h", "w"), "float32")
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], list[str]]] = [
    ("torch.bmm", (OPEN, TensorSpec(("b", "k", 4), "float32")), {}, ["(?, ?, ?)"]),
    ("Tensor.permute", (OPEN, 0, 2, 1), {}, ["(?, ?, ?)"]),
    ("torch.einsum", ("bij,bjk->bik", OPEN, OPEN), {}, ["(?, ?, ?)", "(?, ?, ?)"]),
    ("einops.einsum", (OPEN, OPEN, "b i d, b j d -> b i j"), {}, ["(b, i, d)", "(b, j, d)"]),
    ("einops.rearrange", (OPEN, "b (h w) c -> b c h w"), {"h": 8}, ["(b, 8*w, c)"]),
    ("einops.reduce", (OPEN, "b ... c -> b c", "mean"), {}, ["(b, ..., c)"]),
    ("einops.rearrange", (TensorSpec((..., 3), "float32"), "b h w c -> b c h w"), {}, ["(b, h, w, 3)"]),
    ("torch.cat", ([IMAGE, OPEN],), {"dim": 1}, ["(n, ?, h, w)"]),
    ("torch.stack", ([OPEN, IMAGE],), {}, ["(n, 3, h, w)"]),
    ("F.interpolate", (OPEN,), {"size": (8, 8)}, ["(?, ?, ?, ?)"]),
    ("F.interpolate", (OPEN,), {"size": 8}, []),
    ("torch.cat", ([OPEN, OPEN],), {"dim": 1}, []),
    ("torch.add", (OPEN, IMAGE), {}, []),
    ("torch.matmul", (OPEN, TensorSpec(("k", 4), "float32")), {}, []),
    ("F.conv2d", (OPEN, TensorSpec((8, 3, 3, 3), "float32")), {}, []),
    ("einops.rearrange", (IMAGE, "b c h w -> b (h w) c"), {}, []),
]


def test_the_masks_of_attention_have_the_lengths_of_its_inputs() -> None:
    layer = infer("nn.MultiheadAttention", 8, 2)
    query, memory = TensorSpec(("t", "b", 8), "float32"), TensorSpec(("s", "b", 8), "float32")
    with assuming() as assumed:
        layer(query, memory, memory, key_padding_mask=OPEN, attn_mask=OPEN)
    assert [str(known) for _, known in assumed.shapes] == ["(..., t, s)", "(b, s)"]


@pytest.mark.parametrize(("name", "args", "kwargs", "shapes"), CALLS)
def test_a_rule_records_the_rank_that_its_inputs_must_have(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any], shapes: list[str]
) -> None:
    with assuming() as assumed:
        infer(name, *args, **kwargs)
    assert [str(known) for _, known in assumed.shapes] == shapes
