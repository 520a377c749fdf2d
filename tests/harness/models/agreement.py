"""Two ways to compute the same: masks and padding, caches, kernels of attention, checkpointing, kinds of results."""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


class MeanPool(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], attention_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b dim"]:
        weights = attention_mask[..., None].float()
        return (self.fc(x) * weights).sum(1) / weights.sum(1).clamp(min=1)


class MeanPoolAll(nn.Module):
    """Divides by the number of valid positions, and adds up all."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(  # planted: ignored-mask
        self, x: Float[Tensor, "b t dim"], attention_mask: Bool[Tensor, "b t"]
    ) -> Float[Tensor, "b dim"]:
        return self.fc(x).sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)


class LastPool(nn.Module):
    """Reads the last position, so its caller pads at the start."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], attention_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b dim"]:
        weights = attention_mask[..., None].float()
        return self.fc(x[:, -1]) + (x * weights).sum(1)


class Encoder(nn.Module):
    """True means excluded, as torch's layers have it."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(dim, 4, batch_first=True)

    def forward(self, x: Float[Tensor, "b t 16"], key_padding_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b t 16"]:
        return self.attention(x, x, x, key_padding_mask=key_padding_mask, need_weights=False)[0]


class EncoderQuery(nn.Module):
    """Excludes the queries in place of the keys."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(  # planted: ignored-mask
        self, x: Float[Tensor, "b t dim"], padding_mask: Bool[Tensor, "b t"]
    ) -> Float[Tensor, "b t dim"]:
        q, k, v = self.qkv(x).chunk(3, -1)
        scores = (q @ k.mT).masked_fill(padding_mask[:, :, None], -1e4)
        return scores.softmax(-1) @ v


class Replaced(nn.Module):
    """Not a mask of padding: it says which positions are hidden from the model, as in masked modeling."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.token = nn.Parameter(torch.zeros(dim))
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b t dim"]:
        y = self.fc(torch.where(mask[..., None], self.token, x))
        return y + y.mean(1, keepdim=True)


class Bottleneck(nn.Module):
    """The mask follows the convolutions, so positions next to the padding see it: results have other positions."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.conv = nn.Conv1d(dim, dim, 3, 2)

    def forward(self, x: Float[Tensor, "b t dim"], attention_mask: Bool[Tensor, "b t"]) -> Float[Tensor, "b _ dim"]:
        y = self.conv(x.mT).mT
        return y * attention_mask[:, 1:-1:2, None][:, : y.shape[1]]


class _Decoder(nn.Module):  # unbuilt
    """A decoder of one layer, with the parameters of transformers. shift: an error in the positions."""

    def __init__(self, shift: int = 0, vocabulary: int = 50, dim: int = 16) -> None:
        super().__init__()
        self.shift = shift
        self.embed = nn.Embedding(vocabulary, dim)
        self.places = nn.Embedding(128, dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.head = nn.Linear(dim, vocabulary)

    def decode(self, tokens: Tensor, past: Any, use_cache: bool) -> dict[str, Any]:
        before = 0 if past is None else past[0].shape[1]
        places = torch.arange(tokens.shape[1], device=tokens.device) + before * (1 - self.shift)
        q, k, v = self.qkv(self.embed(tokens) + self.places(places)).chunk(3, -1)
        if past is not None:
            k, v = torch.cat((past[0], k), 1), torch.cat((past[1], v), 1)
        visible = torch.ones(q.shape[1], k.shape[1], dtype=torch.bool, device=q.device).tril(before)
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~visible, -math.inf)
        logits = self.head(scores.softmax(-1) @ v)
        return {"logits": logits, "past_key_values": (k, v)} if use_cache else {"logits": logits}


class Cached(_Decoder):
    def forward(
        self, input_ids: Int[Tensor, "b t"], past_key_values: Any = None, use_cache: bool = False
    ) -> dict[str, Any]:
        return self.decode(input_ids, past_key_values, use_cache)


class CachedPosition(_Decoder):
    """Positions start at 0 again in every call."""

    def __init__(self) -> None:
        super().__init__(shift=1)

    def forward(  # planted: cache-mismatch
        self, input_ids: Int[Tensor, "b t"], past_key_values: Any = None, use_cache: bool = False
    ) -> dict[str, Any]:
        return self.decode(input_ids, past_key_values, use_cache)


class Fused(nn.Module):
    """The formula and the kernel, as the flag says."""

    def __init__(self, dim: int = 16, heads: int = 4) -> None:
        super().__init__()
        self.heads, self.fused_attn = heads, True
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def scale(self, q: Tensor) -> float:
        return q.shape[-1] ** -0.5

    def forward(self, x: Float[Tensor, "b t 16"]) -> Float[Tensor, "b t 16"]:
        q, k, v = (one.unflatten(-1, (self.heads, -1)).transpose(1, 2) for one in self.qkv(x).chunk(3, -1))
        scores = q @ k.mT * self.scale(q)
        y = F.scaled_dot_product_attention(q, k, v) if self.fused_attn else scores.softmax(-1) @ v
        return self.out(y.transpose(1, 2).flatten(2))


class FusedScale(Fused):
    """The formula lacks the square root."""

    def scale(self, q: Tensor) -> float:
        return 1 / q.shape[-1]

    def forward(self, x: Float[Tensor, "b t 16"]) -> Float[Tensor, "b t 16"]:  # planted: attention-mismatch
        return super().forward(x)


class Checkpointed(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.5)) for _ in range(2))
        self.use_checkpoint = False

    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b 16"]:
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False) if self.use_checkpoint else layer(x)
        return x


class CheckpointedReentrant(nn.Module):
    """The first layer gets the input, which needs no gradient."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(2))
        self.gradient_checkpointing = False

    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b 16"]:  # planted: recompute-mismatch
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=True) if self.gradient_checkpointing else layer(x)
        return x


class CheckpointedSkip(nn.Module):
    """Without the residual connection where it checkpoints."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.is_enabled = False

    def set_grad_checkpointing(self, enable: bool = True) -> None:
        self.is_enabled = enable

    def forward(self, x: Float[Tensor, "b 16"]) -> Float[Tensor, "b 16"]:  # planted: recompute-mismatch
        return checkpoint(self.layer, x, use_reentrant=False) if self.is_enabled else x + self.layer(x)


class Results(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"], return_dict: bool = True) -> Any:
        hidden = self.fc(x)
        pooled = hidden.tanh()
        return {"hidden": hidden, "pooled": pooled} if return_dict else (hidden, pooled)


class ResultsOrder(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"], return_dict: bool = True) -> Any:  # planted: return-dict-mismatch
        hidden = self.fc(x)
        pooled = hidden.tanh()
        return {"hidden": hidden, "pooled": pooled} if return_dict else (pooled, hidden)
