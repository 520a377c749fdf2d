"""Transformers: layers and stacks of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.modules.attention import MultiheadAttention
from shapecheck.ops.modules.container import ModuleList
from shapecheck.ops.modules.dropout import Dropout
from shapecheck.ops.modules.linear import Linear
from shapecheck.ops.modules.norm_layer import LayerNorm
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, fresh, need_equal, size
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Size, Unanswered, as_dtype
from shapecheck.spec.dtype import DEFAULT_FLOAT
from shapecheck.spec.presentation import value_text

Activation = str | Callable[[Any], Any] | None


class _Layer(ModuleSpec):
    """The common part of an encoder's and a decoder's layer."""

    norms: int

    def __init__(
        self,
        d_model: Size,
        nhead: Size,
        dim_feedforward: Size = 2048,
        dropout: float = 0.1,
        activation: Activation = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        if isinstance(activation, str) and activation not in ("relu", "gelu"):
            raise CallError(f'expected activation to be "relu" or "gelu", got {value_text(activation)}')
        self.activation = activation
        self.norm_first = norm_first
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        self.linear1 = Linear(d_model, dim_feedforward, bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, dtype=dtype)
        norm = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm1 = self.norm2 = norm
        self.dropout1 = self.dropout2 = Dropout(dropout)

    def _fed_forward(self, x: Tensor) -> Tensor:
        """The feed-forward block, and the norm, which keeps the shape."""
        return self.norm2.forward(self.linear2.forward(self.linear1.forward(x))).with_layout("unknown")

    def __repr__(self) -> str:
        return f"{type(self).name}({self.self_attn.embed_dim}, {self.self_attn.num_heads})"


@module("nn.TransformerEncoderLayer", traits=Trait.AUTOCAST)
class TransformerEncoderLayer(_Layer):
    """(s, n, d_model) keeps its shape; n leads for `batch_first`, and may lack."""

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """(s, n, d_model) keeps its shape."""
        x, _ = self.self_attn.forward(src, src, src, src_key_padding_mask, False, src_mask, is_causal=is_causal)
        return self._fed_forward(x)


@module("nn.TransformerDecoderLayer", traits=Trait.AUTOCAST)
class TransformerDecoderLayer(_Layer):
    """(t, n, d_model) and a memory (s, n, d_model) give (t, n, d_model); n leads for `batch_first`, and may lack."""

    # The same shapes once more, for the attention to the memory.
    multihead_attn = property(lambda self: self.self_attn)
    norm3 = property(lambda self: self.norm1)
    dropout3 = property(lambda self: self.dropout1)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """(t, n, d_model) keeps its shape."""
        x, _ = self.self_attn.forward(tgt, tgt, tgt, tgt_key_padding_mask, False, tgt_mask, is_causal=tgt_is_causal)
        x, _ = self.multihead_attn.forward(
            x, memory, memory, memory_key_padding_mask, False, memory_mask, is_causal=memory_is_causal
        )
        return self._fed_forward(x)


class _Stack(ModuleSpec):
    """A number of equal layers, and a norm."""

    def _put(self, layer: Any, num_layers: int, norm: Any) -> None:
        self.layers = ModuleList([layer] * num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def _run(self, x: Any, call: Callable[[Any, Any], Any]) -> Any:
        """All layers are the same, so that a second run of one differs only by its input."""
        for layer in self.layers:
            given, x = x, call(_known(layer), x)
            if isinstance(x, Unknown) or x.shape == given.shape:
                break
        return x if self.norm is None or isinstance(x, Unknown) else _known(self.norm)(x)


def _known(layer: Any) -> Any:
    """The layer; raises Unanswered if it has no rule."""
    if isinstance(layer, ModuleSpec):
        return layer
    raise Unanswered(f"no rule for {value_text(layer)}")


@module("nn.TransformerEncoder", traits=Trait.AUTOCAST)
class TransformerEncoder(_Stack):
    """(s, n, d_model) keeps its shape."""

    def __init__(
        self,
        encoder_layer: Any,
        num_layers: int,
        norm: Any = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        self._put(encoder_layer, num_layers, norm)
        self.enable_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """(s, n, d_model) keeps its shape."""

        def call(layer: Any, x: Tensor) -> Any:
            causal = mask is not None and bool(is_causal)
            return layer(x, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=causal)

        return self._run(src, call)  # type: ignore[no-any-return]


@module("nn.TransformerDecoder", traits=Trait.AUTOCAST)
class TransformerDecoder(_Stack):
    """(t, n, d_model) and a memory (s, n, d_model) give (t, n, d_model)."""

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Any = None) -> None:
        self._put(decoder_layer, num_layers, norm)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """(t, n, d_model) keeps its shape."""

        def call(layer: Any, x: Tensor) -> Any:
            return layer(
                x,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_mask is not None and bool(tgt_is_causal),
                memory_is_causal=memory_is_causal,
            )

        return self._run(tgt, call)  # type: ignore[no-any-return]


@module("nn.Transformer", traits=Trait.AUTOCAST)
class Transformer(ModuleSpec):
    """Sources (s, n, d_model) and targets (t, n, d_model) give (t, n, d_model); n leads for `batch_first`."""

    def __init__(
        self,
        d_model: Size = 512,
        nhead: Size = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: Size = 2048,
        dropout: float = 0.1,
        activation: Activation = "relu",
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        self.d_model = size(d_model)
        self.nhead = size(nhead)
        self.batch_first = batch_first
        given = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        norm = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.encoder, self.decoder = custom_encoder, custom_decoder
        if custom_encoder is None:
            self.encoder = TransformerEncoder(TransformerEncoderLayer(*given, dtype=dtype), num_encoder_layers, norm)
        if custom_decoder is None:
            self.decoder = TransformerDecoder(TransformerDecoderLayer(*given, dtype=dtype), num_decoder_layers, norm)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """(t, n, d_model), the target's shape."""
        self._need_matching(src, tgt)
        memory = _known(self.encoder)(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        return _known(self.decoder)(  # type: ignore[no-any-return]
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    def _need_matching(self, src: Tensor, tgt: Tensor) -> None:
        place = 0 if self.batch_first else 1
        if src.rank == 3 and tgt.rank == 3:
            n, m = src.dims[place], tgt.dims[place]
            shapes = f"{src.shape} and {tgt.shape}"
            need_equal(n, m, f"expected src and tgt to have the same batch size, got shapes {shapes}: {n} != {m}")
        for name, tensor in (("src", src), ("tgt", tgt)):
            last = None if tensor.rank == 0 else tensor.shape.at(-1)
            if last is not None:
                need_equal(
                    last,
                    self.d_model,
                    f"expected the last dimension of {name} to be d_model, {self.d_model}, got {last}",
                )

    @staticmethod
    def generate_square_subsequent_mask(sz: Size, device: object = None, dtype: DTypeLike = None) -> Tensor:
        """The causal mask of a sequence, (sz, sz)."""
        return fresh((sz, sz), DEFAULT_FLOAT if dtype is None else as_dtype(dtype))

    def __repr__(self) -> str:
        return f"Transformer({self.d_model}, {self.nhead})"
