"""Attention with projections."""

from __future__ import annotations

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.modules.linear import NonDynamicallyQuantizableLinear
from shapecheck.ops.rules.attention import Attention, multi_head_attention_forward
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, need_rank, size
from shapecheck.ops.shared.parameters import parameter
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, Shape, ShapeError, Size, TensorSpec, same


@module("nn.MultiheadAttention", traits=Trait.AUTOCAST | Trait.HAS_WEIGHTS | Trait.BATCH_FIRST)
class MultiheadAttention(ModuleSpec):
    """Queries (l, n, e), keys (s, n, k), values (s, n, v) give (l, n, e) and weights (n, l, s)."""

    in_proj_weight: Tensor | None
    q_proj_weight: Tensor | None
    k_proj_weight: Tensor | None
    v_proj_weight: Tensor | None

    def __init__(
        self,
        embed_dim: Size,
        num_heads: Size,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: Size | None = None,
        vdim: Size | None = None,
        batch_first: bool = False,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        e = self.embed_dim = size(embed_dim)
        self.num_heads = size(num_heads)
        _need_heads(e, self.num_heads)
        self.kdim = e if kdim is None else size(kdim)
        self.vdim = e if vdim is None else size(vdim)
        self._qkv_same_embed_dim = same(self.kdim, e) is True and same(self.vdim, e) is True
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = e // self.num_heads
        together = self._qkv_same_embed_dim
        self.in_proj_weight = parameter((3 * e, e), dtype) if together else None
        self.q_proj_weight = None if together else parameter((e, e), dtype)
        self.k_proj_weight = None if together else parameter((e, self.kdim), dtype)
        self.v_proj_weight = None if together else parameter((e, self.vdim), dtype)
        self.in_proj_bias = parameter((3 * e,), dtype) if bias else None
        self.out_proj = NonDynamicallyQuantizableLinear(e, e, bias, dtype=dtype)
        self.bias_k = parameter((1, 1, e), dtype) if add_bias_kv else None
        self.bias_v = parameter((1, 1, e), dtype) if add_bias_kv else None
        self.add_zero_attn = add_zero_attn

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> Attention:
        """The attended values, of the query's shape, and the weights, which are None unless needed."""
        need_rank(query, (2, 3), "the query")
        swapped = self.batch_first and query.rank != 2
        if swapped:
            query, key, value = _swapped(query), _swapped(key), _swapped(value)
        assert self.out_proj.weight is not None
        result, weights = multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (_swapped(result) if swapped else result), weights

    def __repr__(self) -> str:
        return f"MultiheadAttention({self.embed_dim}, {self.num_heads})"


def _need_heads(embed_dim: Size, heads: Size) -> None:
    for name, value in (("embed_dim", embed_dim), ("num_heads", heads)):
        if isinstance(value, int) and value <= 0:
            raise CallError(f"expected {name} to be greater than 0, got {value}")
    if same(embed_dim % heads, 0) is False:
        raise ShapeError(f"expected embed_dim to be divisible by num_heads, got {embed_dim} and {heads}")


def _swapped(tensor: Tensor) -> Tensor:
    """The tensor with its first two dimensions swapped, if it is 3-D."""
    shape = tensor.shape
    if shape.run is not None or len(shape.head) != 3:
        return tensor
    a, b, c = shape.head
    return TensorSpec.make(Shape((b, a, c)), tensor.dtype, "unknown", tensor.device)
