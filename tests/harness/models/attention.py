"""Attention and what belongs to it."""

from __future__ import annotations

import math
from typing import Optional

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


class SelfAttention(nn.Module):
    def __init__(self, dim: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"], mask: Bool[Tensor, "b t"] | None = None) -> Float[Tensor, "b t dim"]:
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None, None, :], float("-inf"))
        y = scores.softmax(-1) @ v
        return self.proj(y.transpose(1, 2).reshape(b, t, c))


class SelfAttentionView(nn.Module):
    def __init__(self, dim: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        y = (q @ k.transpose(-2, -1)).softmax(-1) @ v
        return self.proj(y.transpose(1, 2).view(b, t, c))  # planted: non-contiguous


class SelfAttentionOptional(nn.Module):
    """Its mask may be None, and is used."""

    def __init__(self, dim: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(
        self, x: Float[Tensor, "b t dim"], mask: Optional[Bool[Tensor, "b t"]] = None
    ) -> Float[Tensor, "b t dim"]:
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-2, -1)).masked_fill(~mask[:, None, None, :], float("-inf"))  # planted: failed-run
        return (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c)


class FloatMask(nn.Module):
    """A mask that is added to the scores."""

    def __init__(self, d_model: int = 24, heads: int = 3) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, heads, batch_first=True)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x: Float[Tensor, "b t d_model"], attn_mask: Float[Tensor, "t t"]) -> Float[Tensor, "b t d_model"]:
        y, _ = self.attention(x, x, x, attn_mask=attn_mask, need_weights=False)
        return self.norm(x + y)


class FloatMaskBroadcast(nn.Module):
    """One gate a row, spread over the batch."""

    def __init__(self, d_model: int = 24) -> None:
        super().__init__()
        self.value = nn.Linear(d_model, 1)
        self.gate = nn.Linear(d_model, 1)

    def forward(self, x: Float[Tensor, "b d_model"]) -> Float[Tensor, ""]:
        return (self.value(x).squeeze(-1) - self.gate(x)).pow(2).mean()  # planted: silent-broadcast


class CrossAttention(nn.Module):
    def __init__(self, dim: int = 32, context_dim: int = 48, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim, bias=False)
        self.kv = nn.Linear(context_dim, 2 * dim, bias=False)
        self.out = nn.Linear(dim, dim)

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(
        self, x: Float[Tensor, "b n dim"], context: Float[Tensor, "b m context_dim"] | None = None
    ) -> Float[Tensor, "b n dim"]:
        if context is None:
            context = F.pad(x, (0, self.kv.in_features - x.shape[-1]))
        k, v = self.kv(context).chunk(2, dim=-1)
        y = F.scaled_dot_product_attention(self._split(self.q(x)), self._split(k), self._split(v))
        return self.out(y.transpose(1, 2).flatten(2))


class CrossAttentionSwapped(nn.Module):
    def __init__(self, dim: int = 32, context_dim: int = 48, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim, bias=False)
        self.kv = nn.Linear(context_dim, 2 * dim, bias=False)
        self.out = nn.Linear(dim, dim)

    def forward(
        self, x: Float[Tensor, "b n dim"], context: Float[Tensor, "b m context_dim"]
    ) -> Float[Tensor, "b n dim"]:
        k, v = self.kv(context).chunk(2, dim=-1)
        scores = self.q(x) @ k.transpose(1, 2)
        y = scores.transpose(1, 2).softmax(-1) @ v  # planted: shape-mismatch
        return self.out(y)


class CausalGpt(nn.Module):
    def __init__(self, vocab_size: int = 65, block_size: int = 32, n_embd: int = 32, n_head: int = 4) -> None:
        super().__init__()
        self.block_size = block_size
        self.n_head = n_head
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.wpe = nn.Embedding(block_size, n_embd)
        self.attn = nn.Linear(n_embd, 3 * n_embd)
        self.ln = nn.LayerNorm(n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        self.head.weight = self.wte.weight
        self.register_buffer("bias", torch.tril(torch.ones(block_size, block_size)).view(1, 1, block_size, block_size))

    def forward(
        self, idx: Int[Tensor, "b t"], targets: Int[Tensor, "b t"] | None = None
    ) -> tuple[Float[Tensor, "b t vocab_size"], Float[Tensor, ""] | None]:
        b, t = idx.shape
        assert t <= self.block_size, f"cannot forward {t} tokens, block size is only {self.block_size}"
        x = self.wte(idx) + self.wpe(torch.arange(t, device=idx.device))
        q, k, v = self.attn(x).split(x.shape[-1], dim=2)
        q, k, v = (part.view(b, t, self.n_head, -1).transpose(1, 2) for part in (q, k, v))
        att = (q @ k.transpose(-2, -1)) / math.sqrt(k.shape[-1])
        att = att.masked_fill(self.bias[:, :, :t, :t] == 0, float("-inf"))
        y = (att.softmax(-1) @ v).transpose(1, 2).contiguous().view(b, t, -1)
        logits = self.head(self.ln(x + y))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1), ignore_index=-1)


class CausalGptDevice(nn.Module):
    def __init__(self, vocab_size: int = 65, n_embd: int = 32) -> None:
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.wpe = nn.Embedding(32, n_embd)
        self.head = nn.Linear(n_embd, vocab_size)

    def forward(self, idx: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocab_size"]:
        positions = torch.arange(idx.shape[1])
        return self.head(self.wte(idx) + self.wpe(positions))  # planted: missing-device


class GroupedQuery(nn.Module):
    def __init__(self, dim: int = 64, n_heads: int = 8, n_kv_heads: int = 2) -> None:
        super().__init__()
        self.n_heads, self.n_kv_heads, self.head_dim = n_heads, n_kv_heads, dim // n_heads
        self.wq = nn.Linear(dim, n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(n_heads * self.head_dim, dim, bias=False)

    def forward(
        self,
        x: Float[Tensor, "b s dim"],
        cos: Float[Tensor, "s {self.head_dim}//2"],
        sin: Float[Tensor, "s {self.head_dim}//2"],
    ) -> Float[Tensor, "b s dim"]:
        b, s, _ = x.shape
        q = self.wq(x).view(b, s, self.n_heads, self.head_dim)
        k = self.wk(x).view(b, s, self.n_kv_heads, self.head_dim)
        v = self.wv(x).view(b, s, self.n_kv_heads, self.head_dim)
        q, k = (self._rotate(part, cos, sin) for part in (q, k))
        repeats = self.n_heads // self.n_kv_heads
        k, v = (part.repeat_interleave(repeats, dim=2).transpose(1, 2) for part in (k, v))
        y = F.scaled_dot_product_attention(q.transpose(1, 2), k, v, is_causal=True)
        return self.wo(y.transpose(1, 2).reshape(b, s, -1))

    @staticmethod
    def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        one, two = x.chunk(2, dim=-1)
        cos, sin = cos[None, :, None, :], sin[None, :, None, :]
        return torch.cat([one * cos - two * sin, one * sin + two * cos], dim=-1)


class GroupedQueryNoRepeat(nn.Module):
    def __init__(self, dim: int = 64, n_heads: int = 8, n_kv_heads: int = 2) -> None:
        super().__init__()
        self.n_heads, self.n_kv_heads, self.head_dim = n_heads, n_kv_heads, dim // n_heads
        self.wq = nn.Linear(dim, n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(n_heads * self.head_dim, dim, bias=False)

    def forward(self, x: Float[Tensor, "b s dim"]) -> Float[Tensor, "b s dim"]:
        b, s, _ = x.shape
        q = self.wq(x).view(b, s, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.wk(x).view(b, s, self.n_kv_heads, self.head_dim).transpose(1, 2)
        y = (q @ k.transpose(-2, -1)).softmax(-1) @ k  # planted: shape-mismatch
        return self.wo(y.transpose(1, 2).reshape(b, s, -1))


class CachedAttention(nn.Module):
    """One step of decoding with the keys and values of all steps before."""

    def __init__(self, dim: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(
        self,
        x: Float[Tensor, "b 1 dim"],
        past_k: Float[Tensor, "b {self.heads} past dim//{self.heads}"],
        past_v: Float[Tensor, "b {self.heads} past dim//{self.heads}"],
    ) -> tuple[
        Float[Tensor, "b 1 dim"],
        Float[Tensor, "b {self.heads} past+1 dim//{self.heads}"],
        Float[Tensor, "b {self.heads} past+1 dim//{self.heads}"],
    ]:
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        k, v = torch.cat([past_k, k], dim=2), torch.cat([past_v, v], dim=2)
        y = F.scaled_dot_product_attention(q, k, v)
        return self.out(y.transpose(1, 2).flatten(2)), k, v


class CachedAttentionState(nn.Module):
    """Its cache lies on itself and grows from call to call."""

    def __init__(self, dim: int = 32) -> None:
        super().__init__()
        self.kv = nn.Linear(dim, dim)
        self.cache: Tensor | None = None

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        k = self.kv(x)
        if self.cache is not None and self.cache.shape == k.shape:
            k = k + self.cache  # planted: not-deterministic
        self.cache = k.detach()
        return (x @ k.transpose(1, 2)).softmax(-1) @ k


class Rotary(nn.Module):
    def __init__(self, head_dim: int = 16, base: float = 10000.0) -> None:
        super().__init__()
        self.register_buffer("inv_freq", base ** (-torch.arange(0, head_dim, 2).float() / head_dim), persistent=False)

    def forward(
        self, x: Float[Tensor, "b heads t head_dim"], positions: Int[Tensor, "b t"]
    ) -> Float[Tensor, "b heads t head_dim"]:
        angles = positions[:, None, :, None].float() * self.inv_freq
        cos, sin = angles.cos().repeat(1, 1, 1, 2), angles.sin().repeat(1, 1, 1, 2)
        one, two = x.chunk(2, dim=-1)
        return x * cos + torch.cat([-two, one], dim=-1) * sin


class RotaryDouble(nn.Module):
    """Its table of angles is float64."""

    def __init__(self, head_dim: int = 16, base: float = 10000.0) -> None:
        super().__init__()
        powers = torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim
        self.register_buffer("inv_freq", base**-powers, persistent=False)

    def forward(
        self, x: Float[Tensor, "b heads t head_dim"], positions: Int[Tensor, "b t"]
    ) -> Float[Tensor, "b heads t head_dim"]:
        angles = positions[:, None, :, None] * self.inv_freq
        cos, sin = angles.cos().repeat(1, 1, 1, 2), angles.sin().repeat(1, 1, 1, 2)
        one, two = x.chunk(2, dim=-1)
        return x * cos + torch.cat([-two, one], dim=-1) * sin  # planted: float64-leak


class Router(nn.Module):
    """A mixture of experts, top k of them for a token."""

    def __init__(self, dim: int = 16, experts: int = 4, k: int = 2) -> None:
        super().__init__()
        self.k = k
        self.gate = nn.Linear(dim, experts, bias=False)
        self.w1 = nn.Parameter(torch.randn(experts, dim, 2 * dim) * 0.1)
        self.w2 = nn.Parameter(torch.randn(experts, 2 * dim, dim) * 0.1)

    def forward(self, x: Float[Tensor, "b t dim"]) -> tuple[Float[Tensor, "b t dim"], Float[Tensor, "b t experts"]]:
        logits = self.gate(x)
        weights, chosen = logits.softmax(-1).topk(self.k, dim=-1)
        dense = torch.zeros_like(logits).scatter(-1, chosen, weights)
        hidden = F.silu(torch.einsum("btd,edh->bteh", x, self.w1))
        return torch.einsum("bteh,ehd,bte->btd", hidden, self.w2, dense), logits


class RouterArgmax(nn.Module):
    """The choice of one expert has no gradient."""

    def __init__(self, dim: int = 16, experts: int = 4) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.w1 = nn.Parameter(torch.randn(experts, dim, dim) * 0.1)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        chosen = self.gate(x).argmax(-1)  # planted: missing-gradient
        return torch.einsum("btd,btdh->bth", x, self.w1[chosen])


class SwinWindows(nn.Module):
    """Height and width are multiples of the window."""

    def __init__(self, dim: int = 24, window: int = 4, heads: int = 3) -> None:
        super().__init__()
        self.window, self.heads = window, heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.bias = nn.Parameter(torch.zeros(heads, window * window, window * window))

    def forward(self, x: Float[Tensor, "b h w dim"]) -> Float[Tensor, "b h w dim"]:
        b, h, w, c = x.shape
        s = self.window
        x = x.view(b, h // s, s, w // s, s, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, s * s, c)
        q, k, v = self.qkv(x).view(-1, s * s, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        y = ((q @ k.transpose(-2, -1)) + self.bias).softmax(-1) @ v
        y = y.transpose(1, 2).reshape(b, h // s, w // s, s, s, c)
        return y.permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)


class SwinWindowsSwapped(nn.Module):
    """Put together with height and width exchanged."""

    def __init__(self, dim: int = 24, window: int = 4) -> None:
        super().__init__()
        self.window = window
        self.fc = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b h w dim"]) -> Float[Tensor, "b h w dim"]:
        b, h, w, c = x.shape
        s = self.window
        x = x.reshape(b, h // s, s, w // s, s, c).permute(0, 1, 3, 2, 4, 5)
        return self.fc(x).permute(0, 2, 4, 1, 3, 5).reshape(b, w, h, c)  # planted: shape-mismatch


class ViT(nn.Module):
    def __init__(self, image_size: int = 32, patch: int = 8, dim: int = 32, classes: int = 10) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, dim, patch, patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.zeros(1, (image_size // patch) ** 2 + 1, dim))
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True), 1)
        self.head = nn.Linear(dim, classes)

    def forward(self, image: Float[Tensor, "b 3 image_size image_size"]) -> Float[Tensor, "b classes"]:
        x = self.patch(image).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], dim=1) + self.pos
        return self.head(self.encoder(x)[:, 0])


class ViTExpand(nn.Module):
    """The first token of the first picture, for all."""

    def __init__(self, image_size: int = 32, patch: int = 8, dim: int = 32, classes: int = 10) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, dim, patch, patch)
        self.pos = nn.Parameter(torch.zeros(1, (image_size // patch) ** 2, dim))
        self.head = nn.Linear(dim, classes)

    def forward(self, image: Float[Tensor, "b 3 image_size image_size"]) -> Float[Tensor, "b classes"]:
        x = self.patch(image).flatten(2).transpose(1, 2) + self.pos
        return self.head(x[0]).mean(0, keepdim=True)  # planted: shape-mismatch
