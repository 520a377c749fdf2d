"""The fused attention kernels under their names in `torch.ops.aten` (torch/_meta_registrations.py)."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules.attention import scaled_dot_product_attention
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.ranks import ranked
from shapecheck.spec import DType, Shape, Size, TensorSpec, unknown
from shapecheck.spec.dtype import bfloat16, float16, float32, int64, uint64


def _like_query(query: Tensor, last: Size) -> Tensor:
    return fresh_shape(query.shape.with_at(-1, last), query.dtype, query, "unknown")


def _debug_mask(query: Tensor, wanted: bool, batch: Size, heads: Size, length: Size) -> Tensor:
    return fresh((batch, heads, length, unknown(low=0)) if wanted else (0,), query.dtype, query)


def _rounded_up(length: Size, wanted: bool) -> Size:
    return -(-length // 32) * 32 if wanted else 0


@op("aten._flash_attention_forward")
def flash_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cum_seq_q: Tensor | None,
    cum_seq_k: Tensor | None,
    max_q: Size,
    max_k: object,
    dropout_p: object,
    is_causal: object,
    return_debug_mask: bool,
    q_descale: Tensor | None = None,
    k_descale: Tensor | None = None,
    v_descale: Tensor | None = None,
    *,
    scale: object = None,
    window_size_left: object = None,
    window_size_right: object = None,
    seqused_k: Tensor | None = None,
    alibi_slopes: Tensor | None = None,
    block_table: Tensor | None = None,
    num_splits: object = None,
) -> tuple[Tensor, ...]:
    """(b, l, h, d) gives itself and the log-sum-exp (b, h, l); with `cum_seq_q`, (total, h, d) gives (h, total)."""
    need_same_dtype(("query", query), ("key", key), ("value", value))
    batch: Size
    if cum_seq_q is None:
        batch, length, heads, last = ranked(query, 4, "the query")
        sums: tuple[Size, ...] = (batch, heads, length)
    else:
        total, heads, last = ranked(query, 3, "the query")
        batch, length, sums = ranked(cum_seq_q, 1, "cum_seq_q")[0] - 1, max_q, (heads, total)
    state = fresh((2,), uint64, query), fresh((), uint64, query)
    mask = _debug_mask(query, return_debug_mask, batch, heads, length)
    return _like_query(query, last), fresh(sums, float32, query), *state, mask


@op("aten._efficient_attention_forward")
def efficient_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    cu_seqlens_q: Tensor | None,
    cu_seqlens_k: Tensor | None,
    max_seqlen_q: Size | None,
    max_seqlen_k: Size | None,
    dropout_p: object,
    custom_mask_type: object,
    compute_log_sumexp: bool = False,
    *,
    scale: object = None,
    seqlen_k: Tensor | None = None,
    window_size: object = None,
) -> tuple[Any, ...]:
    """(b, l, h, d), (b, s, h, d) and (b, s, h, v) give (b, l, h, v), the log-sum-exp, the seeds and the two lengths."""
    dtype = need_same_dtype(("query", query), ("key", key), ("value", value))
    batch, length, heads, _ = ranked(query, 4, "the query")
    source, last = ranked(key, 4, "the key")[1], ranked(value, 4, "the value")[3]
    longest: Size = length if cu_seqlens_q is None or max_seqlen_q is None else max_seqlen_q
    stacked = batch if cu_seqlens_q is None else ranked(cu_seqlens_q, 1, "cu_seqlens_q")[0] - 1
    sums = fresh((stacked, heads, _rounded_up(longest, compute_log_sumexp)), float32, query)
    seeds = fresh((), int64, query), fresh((), int64, query)
    result = fresh_shape(Shape((batch, length, heads, last)), dtype, query, "unknown")
    return result, sums, *seeds, longest, source if max_seqlen_k is None else max_seqlen_k


@op("aten._scaled_dot_product_flash_attention")
def sdpa_flash(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p: object = 0.0,
    is_causal: object = False,
    return_debug_mask: bool = False,
    *,
    scale: object = None,
) -> tuple[Any, ...]:
    """(b, h, l, d) gives itself, the log-sum-exp (b, h, l), no offsets, both lengths, the random state and a mask."""
    result = scaled_dot_product_attention(query, key, value)
    batch, heads, length, _ = ranked(query, 4, "the query")
    source = ranked(key, 4, "the key")[2]
    state = fresh((2,), uint64, query), fresh((), uint64, query)
    mask = _debug_mask(query, return_debug_mask, batch, heads, length)
    return result, fresh((batch, heads, length), float32, query), None, None, length, source, *state, mask


@op("aten._scaled_dot_product_cudnn_attention")
def sdpa_cudnn(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_bias: Tensor | None = None,
    compute_log_sumexp: object = False,
    dropout_p: object = 0.0,
    is_causal: object = False,
    return_debug_mask: object = False,
    *,
    scale: object = None,
) -> tuple[Any, ...]:
    """(b, h, l, d) and a value (b, h, s, v) give (b, h, l, v), the log-sum-exp (b, h, l, 1), lengths and seeds."""
    result = scaled_dot_product_attention(query, key, value)
    batch, heads, length, _ = ranked(query, 4, "the query")
    source = ranked(key, 4, "the key")[2]
    seeds = fresh((), int64, query), fresh((), int64, query)
    return result, fresh((batch, heads, length, 1), float32, query), None, None, length, source, *seeds, None


@op("aten._scaled_dot_product_efficient_attention")
def sdpa_efficient(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_bias: Tensor | None = None,
    compute_log_sumexp: bool = False,
    dropout_p: object = 0.0,
    is_causal: object = False,
    *,
    scale: object = None,
) -> tuple[Tensor, ...]:
    """(b, h, l, d) and a value (b, h, s, v) give (b, h, l, v), the log-sum-exp, l rounded up to 32, and the seeds."""
    result = scaled_dot_product_attention(query, key, value, attn_bias)
    batch, heads, length, _ = ranked(query, 4, "the query")
    sums = fresh((batch, heads, _rounded_up(length, compute_log_sumexp)), float32, query)
    return result, sums, fresh((), int64, query), fresh((), int64, query)


@op("aten._scaled_dot_product_flash_attention_for_cpu")
def sdpa_flash_for_cpu(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p: object = 0.0,
    is_causal: object = False,
    *,
    attn_mask: Tensor | None = None,
    scale: object = None,
) -> tuple[Tensor, Tensor]:
    """(b, h, l, d) gives itself and the log-sum-exp (b, h, l)."""
    result = scaled_dot_product_attention(query, key, value, attn_mask)
    batch, heads, length, _ = ranked(query, 4, "the query")
    return result, fresh_shape(Shape((batch, heads, length)), _computed(query.dtype), query, "unknown")


def _computed(dtype: DType | None) -> DType | None:
    return float32 if dtype in (float16, bfloat16) else dtype


def _sdpa_math(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: object = 0.0,
    is_causal: object = False,
    dropout_mask: Tensor | None = None,
    *,
    scale: object = None,
    enable_gqa: bool = False,
) -> tuple[Tensor, Tensor]:
    """The result of attention, and its weights (..., l, s)."""
    result = scaled_dot_product_attention(query, key, value, attn_mask, enable_gqa=enable_gqa)
    weights = result.shape.with_at(-1, key.shape.size(-2))
    return result, TensorSpec.make(weights, result.dtype, "unknown", query.device)


register(_sdpa_math, "aten._scaled_dot_product_attention_math", "aten._scaled_dot_product_attention_math_for_mps")
