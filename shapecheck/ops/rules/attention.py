"""Attention, as one operator."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.ops.assumptions import has_shape
from shapecheck.ops.registry import op
from shapecheck.ops.rules.linear import linear
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape, need_equal, need_rank
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.ranks import anything_ending_in, batches, joined, need_expandable, ranked
from shapecheck.ops.traits import Trait
from shapecheck.spec import (
    CallError,
    DType,
    DTypeError,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    VariadicAxes,
    same,
    unknown,
)
from shapecheck.spec.dtype import float32


@op("scaled_dot_product_attention", traits=Trait.AUTOCAST)
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: object = 0.0,
    is_causal: object = False,
    scale: object = None,
    enable_gqa: bool = False,
) -> Tensor:
    """(..., l, e), (..., s, e) and (..., s, v) give (..., l, v); `enable_gqa` repeats dimension -3 of key and value."""
    q, k, v = query.shape, key.shape, value.shape
    dtype = query.dtype
    if dtype is not key.dtype or dtype is not value.dtype:
        dtype = need_same_dtype(("query", query), ("key", key), ("value", value))
    _need_matching(q, k, v)
    if attn_mask is not None:
        _need_mask(attn_mask, dtype, is_causal)
    batch = _batch(q, k, v, enable_gqa)
    result = joined(batch, q.size(-2), v.size(-1))
    if attn_mask is not None and result.run is None:
        need_expandable(attn_mask.shape, joined(batch, q.size(-2), k.size(-2)), "attn_mask")
    return TensorSpec.make(result, dtype, "unknown", query.device)


def _need_matching(q: Shape, k: Shape, v: Shape) -> None:
    for name, shape in (("query", q), ("key", k), ("value", v)):
        if shape.rank is not None and shape.rank < 2:
            raise ShapeError(f"expected a {name} with at least 2 dimensions, got shape {shape}")
    e, f = q.at(-1), k.at(-1)
    if e is not None and f is not None and e != f:
        message = (
            f"expected query and key to have the same size in the last dimension, got shapes {q} and {k}: {e} != {f}"
        )
        need_equal(e, f, message)
    s, t = k.at(-2), v.at(-2)
    if s is not None and t is not None and s != t:
        message = f"expected key and value to have the same size in dimension -2, got shapes {k} and {v}: {s} != {t}"
        need_equal(s, t, message)


def _need_mask(mask: Tensor, dtype: DType | None, is_causal: object) -> None:
    if is_causal is True:
        raise CallError("attn_mask cannot be used with is_causal=True")
    if (
        mask.dtype is not None
        and dtype is not None
        and mask.dtype not in (dtype, float32)
        and mask.dtype.kind != "bool"
    ):
        raise DTypeError(f"expected attn_mask to have dtype torch.bool or {dtype}, got {mask.dtype}")


def _batch(q: Shape, k: Shape, v: Shape, grouped: bool) -> Shape:
    own, keys, values = (shape.without(-1).without(-1) for shape in (q, k, v))
    if grouped:
        keys, values = _repeated(own, keys, "key"), _repeated(own, values, "value")
    if own.run is None and own.head == keys.head and own.head == values.head:
        return own
    return batches("query, key and value", own, keys, values)


def _repeated(own: Shape, other: Shape, name: str) -> Shape:
    """The batch dimensions of key or value after their heads are repeated to match the query's."""
    if own.run is not None or other.run is not None:
        return other
    if not own.head or not other.head:
        which = name if own.head else "query"
        raise ShapeError(f"expected a {which} with at least 3 dimensions for enable_gqa=True, got 2")
    heads, fewer = own.head[-1], other.head[-1]
    left = same(heads % fewer, 0) if fewer != 0 else None
    if left is False:
        raise ShapeError(
            f"expected the number of query heads to be divisible by the number of {name} heads, got {heads} and {fewer}"
        )
    return Shape((*other.head[:-1], heads))


Attention = tuple[Tensor, "Tensor | None"]


@op("multi_head_attention_forward")
def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: Size,
    num_heads: Size,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: object,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: object = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> Attention:
    """(l, n, e), (s, n, k), (s, n, v) give (l, n, e) and weights (n, l, s), (n, heads, l, s) or None; n is optional."""
    need_rank(query, (2, 3), "the query")
    _need_mask_kinds(attn_mask, key_padding_mask, is_causal)
    separate, packed = (q_proj_weight, k_proj_weight, v_proj_weight), (in_proj_weight, in_proj_weight, None)
    projections = separate if use_separate_proj_weight else packed
    dtype = need_same_dtype(("query", query), ("projection weight", projections[0]))
    out = out_proj_weight.shape.size(0)
    if query.rank is None:
        unknown_weights = TensorSpec.anything(dtype) if need_weights else None
        return fresh_shape(_of_unknown_query(key, value, out), dtype, query, "unknown"), unknown_weights
    length, batch, source = query.dims[0], query.dims[1:-1], ranked(key, query.rank, "the key")[0]
    values = ranked(value, query.rank, "the value")
    _need_embedding(query, embed_dim_to_check, num_heads)
    _need_pairs(key, values, use_separate_proj_weight)
    _need_same_batch(query, key)
    _need_projected((query, key, value), projections)
    _need_masks(attn_mask, key_padding_mask, (length, source), batch, num_heads)
    if static_k is not None:
        source = ranked(static_k, 3, "static_k")[1]
    source = source + (1 if bias_k is not None else 0) + (1 if add_zero_attn else 0)
    heads = () if average_attn_weights else (num_heads,)
    weights = fresh_shape(Shape((*batch, *heads, length, source)), dtype, query, "unknown") if need_weights else None
    return fresh((length, *batch, out), dtype, query), weights


def _of_unknown_query(key: Tensor, value: Tensor, out: Size) -> Shape:
    """The shape of the result: the query has as many dimensions as key and value, and the same batch."""
    known = next((one for one in (key, value) if one.rank in (2, 3)), None)
    return anything_ending_in(out) if known is None else Shape((unknown(low=0), *known.dims[1:-1], out))


def _need_same_batch(query: Tensor, key: Tensor) -> None:
    for size in query.dims[1:-1]:
        n = key.shape.size(1)
        shapes = f"got shapes {query.shape} and {key.shape}"
        need_equal(size, n, f"expected query and key to have the same batch size, {shapes}: {size} != {n}")


def _need_projected(inputs: Sequence[Tensor], weights: Sequence[Tensor | None]) -> None:
    for projected, weight in zip(inputs, weights, strict=True):
        if weight is not None:
            linear(projected, weight)


def _need_mask_kinds(attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool) -> None:
    _need_float_or_bool(key_padding_mask, "key_padding_mask")
    _need_float_or_bool(attn_mask, "attn_mask")
    if is_causal is True and attn_mask is None:
        raise CallError("is_causal=True requires attn_mask")


def _need_float_or_bool(mask: Tensor | None, name: str) -> None:
    if mask is not None and mask.dtype is not None and not (mask.dtype.is_floating or mask.dtype.kind == "bool"):
        raise DTypeError(f"expected {name} to have a bool or floating-point dtype, got {mask.dtype}")


def _need_embedding(query: Tensor, embed_dim: Size, heads: Size) -> None:
    last = query.dims[-1]
    expected = f"expected the last dimension of the query to be embed_dim={embed_dim}"
    need_equal(last, embed_dim, f"{expected}, got {last} (shape {query.shape})")
    if same(embed_dim % heads, 0) is False:
        raise ShapeError(f"expected embed_dim to be divisible by num_heads, got {embed_dim} and {heads}")


def _need_pairs(key: Tensor, value: tuple[Size, ...], separate: bool) -> None:
    keys = ranked(key, len(value), "the key")
    upto = len(value) - 1 if separate else len(value)
    but = " except for the last dimension" if separate else ""
    message = f"expected key and value to have the same shape{but}, got {Shape(keys)} and {Shape(value)}"
    for one, other in zip(keys[:upto], value[:upto], strict=True):
        need_equal(one, other, message)


def _need_masks(
    mask: Tensor | None, padding: Tensor | None, lengths: tuple[Size, Size], batch: tuple[Size, ...], heads: Size
) -> None:
    if mask is not None and mask.rank is None:
        has_shape(mask.shape, Shape((), VariadicAxes(), lengths))
    elif mask is not None:
        need_rank(mask, (2, 3), "attn_mask")
        stacked = (batch[0] * heads if batch else heads) if mask.rank == 3 else 0
        _need_shape(mask, (stacked, *lengths) if mask.rank == 3 else lengths, "attn_mask")
    if padding is not None:
        wanted = (*batch, lengths[1])
        if padding.rank is None:
            has_shape(padding.shape, Shape(wanted))
            return
        need_rank(padding, (len(wanted),), "key_padding_mask")
        _need_shape(padding, wanted, "key_padding_mask")


def _need_shape(tensor: Tensor, expected: tuple[Size, ...], what: str) -> None:
    for size, other in zip(tensor.dims, expected, strict=True):
        if size != other:
            need_equal(size, other, f"expected {what} of shape {Shape(expected)}, got {tensor.shape}")
