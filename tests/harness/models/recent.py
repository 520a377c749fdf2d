"""Parts of newer architectures."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


class RelativeBias(nn.Module):
    """T5's buckets of distances."""

    def __init__(self, buckets: int = 8, heads: int = 4, dim: int = 16) -> None:
        super().__init__()
        self.buckets, self.heads = buckets, heads
        self.bias = nn.Embedding(buckets, heads)
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        b, t, c = x.shape
        q, k, v = self.qkv(x).reshape(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        places = torch.arange(t, device=x.device)
        distance = (places[None] - places[:, None]).clamp(-(self.buckets // 2), self.buckets // 2 - 1)
        bias = self.bias(distance + self.buckets // 2).permute(2, 0, 1)
        y = (q @ k.mT + bias).softmax(-1) @ v
        return y.transpose(1, 2).reshape(b, t, c)


class RelativeBiasOrder(nn.Module):
    """The heads of the bias stay behind."""

    def __init__(self, buckets: int = 8, heads: int = 4, dim: int = 16) -> None:
        super().__init__()
        self.buckets, self.heads = buckets, heads
        self.bias = nn.Embedding(buckets, heads)
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        b, t, c = x.shape
        q, k, v = self.qkv(x).reshape(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        places = torch.arange(t, device=x.device)
        distance = (places[None] - places[:, None]).clamp(-(self.buckets // 2), self.buckets // 2 - 1)
        bias = self.bias(distance + self.buckets // 2)
        y = (q @ k.mT + bias).softmax(-1) @ v  # planted: hard-coded-size
        return y.transpose(1, 2).reshape(b, t, c)


class Positions(nn.Module):
    """A table of sines, cut to the length."""

    def __init__(self, dim: int = 16, longest: int = 64) -> None:
        super().__init__()
        at = torch.arange(longest).unsqueeze(1)
        rates = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        table = torch.zeros(1, longest, dim)
        table[0, :, 0::2] = torch.sin(at * rates)
        table[0, :, 1::2] = torch.cos(at * rates)
        self.register_buffer("table", table)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        return self.drop(x + self.table[:, : x.size(1)])


class PositionsBatch(nn.Module):
    """Cuts the table to the batch in place of the length."""

    def __init__(self, dim: int = 16, longest: int = 64) -> None:
        super().__init__()
        self.register_buffer("table", torch.randn(1, longest, dim))

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        return x + self.table[:, : x.size(0)]  # planted: shape-mismatch


class Experts(nn.Module):
    """A loop over experts with rows that are picked and put back."""

    def __init__(self, dim: int = 16, count: int = 3, k: int = 2) -> None:
        super().__init__()
        self.k = k
        self.gate = nn.Linear(dim, count, bias=False)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(count))

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.gate(flat).softmax(-1).topk(self.k, dim=-1)
        out = torch.zeros_like(flat)
        for index, expert in enumerate(self.experts):
            row, slot = torch.where(chosen == index)
            out.index_add_(0, row, (expert(flat[row]) * weights[row, slot, None]).to(out.dtype))
        return out.view_as(x)


class ExpertsWeight(nn.Module):
    """The weight of a token has no axis of features."""

    def __init__(self, dim: int = 16, count: int = 3) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, count, bias=False)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(count))

    def forward(self, x: Float[Tensor, "n dim"]) -> Float[Tensor, "n dim"]:
        weights = self.gate(x).softmax(-1)
        out = torch.zeros_like(x)
        for index, expert in enumerate(self.experts):
            out = out + expert(x) * weights[:, index]  # planted: shape-mismatch
        return out


class Quantiser(nn.Module):
    """The nearest word of a book, with the gradient passed straight through."""

    def __init__(self, words: int = 12, dim: int = 6) -> None:
        super().__init__()
        self.book = nn.Embedding(words, dim)

    def forward(
        self, z: Float[Tensor, "b t dim"]
    ) -> tuple[Float[Tensor, "b t dim"], Int[Tensor, "b t"], Float[Tensor, ""]]:
        distance = (z.unsqueeze(-2) - self.book.weight).pow(2).sum(-1)
        chosen = distance.argmin(-1)
        words = self.book(chosen)
        loss = F.mse_loss(words, z.detach()) + 0.25 * F.mse_loss(words.detach(), z)
        return z + (words - z).detach(), chosen, loss


class QuantiserNoLoss(nn.Module):
    """Straight through, and nothing teaches the book."""

    def __init__(self, words: int = 12, dim: int = 6) -> None:
        super().__init__()
        self.book = nn.Embedding(words, dim)

    def forward(self, z: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        distance = torch.cdist(z, self.book.weight[None])
        words = self.book(distance.argmin(-1))
        return self.scale(z) + (words - z).detach()  # planted: failed-run


class Squeeze(nn.Module):
    """Squeeze and excitation."""

    def __init__(self, channels: int = 16, ratio: int = 4) -> None:
        super().__init__()
        self.fc1 = nn.Linear(channels, channels // ratio)
        self.fc2 = nn.Linear(channels // ratio, channels)

    def forward(self, x: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b channels h w"]:
        s = x.mean((-2, -1))
        s = self.fc2(F.relu(self.fc1(s))).sigmoid()
        return x * s[..., None, None]


class SqueezeAll(nn.Module):
    def __init__(self, channels: int = 16, ratio: int = 4) -> None:
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Linear(channels, channels // ratio)
        self.fc2 = nn.Linear(channels // ratio, channels)

    def forward(self, x: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b channels h w"]:
        s = self.pool(x).squeeze()  # planted: squeeze-batch
        s = self.fc2(F.relu(self.fc1(s))).sigmoid()
        return x * s[..., None, None]


class Modulated(nn.Module):
    """StyleGAN's: a kernel for every row, by groups."""

    def __init__(self, channels: int = 4, out: int = 6, style: int = 5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(1, out, channels, 3, 3))
        self.style = nn.Linear(style, channels)

    def forward(self, x: Float[Tensor, "b channels h w"], w: Float[Tensor, "b style"]) -> Float[Tensor, "b out h w"]:
        b, c, height, width = x.shape
        weight = self.weight * self.style(w).view(b, 1, c, 1, 1)
        weight = weight * torch.rsqrt(weight.pow(2).sum([2, 3, 4], keepdim=True) + 1e-8)
        y = F.conv2d(x.reshape(1, b * c, height, width), weight.flatten(0, 1), padding=1, groups=b)
        return y.view(b, -1, height, width)


class ModulatedGroups(nn.Module):
    """One group for all."""

    def __init__(self, channels: int = 4, out: int = 6, style: int = 5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(1, out, channels, 3, 3))
        self.style = nn.Linear(style, channels)

    def forward(self, x: Float[Tensor, "b channels h w"], w: Float[Tensor, "b style"]) -> Float[Tensor, "b out h w"]:
        b, c, height, width = x.shape
        weight = self.weight * self.style(w).view(b, 1, c, 1, 1)
        y = F.conv2d(x.reshape(1, b * c, height, width), weight.flatten(0, 1), padding=1)  # planted: shape-mismatch
        return y.view(b, -1, height, width)


class DropPath(nn.Module):
    """Drops whole rows in train mode."""

    def __init__(self, dim: int = 8, rate: float = 0.5) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.rate = rate

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        y = self.fc(x)
        if not self.training or self.rate == 0.0:
            return x + y
        keep = x.new_empty((x.shape[0],) + (1,) * (x.ndim - 1)).bernoulli_(1 - self.rate)
        return x + y * keep / (1 - self.rate)


class DropPathTrain(nn.Module):
    """Breaks in train mode alone."""

    def __init__(self, dim: int = 8, rate: float = 0.5) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.rate = rate

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        y = self.fc(x)
        if not self.training:
            return x + y
        keep = x.new_empty(x.shape[0]).bernoulli_(1 - self.rate)
        return x + y * keep / (1 - self.rate)  # planted: shape-mismatch


class NormMlp(nn.Module):
    """Batch norm: refuses a batch of one in train mode, as everyone knows."""

    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x: Float[Tensor, "batch dim"]) -> Float[Tensor, "batch 2"]:
        return self.net(x)


class Checkpointed(nn.Module):
    """Computes parts again in backward."""

    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.one = nn.Linear(dim, dim)
        self.two = nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b dim"]:
        return self.two(checkpoint(self.one, x, use_reentrant=False))


class Energy(nn.Module):
    """A force: the gradient of what it computes, taken in forward."""

    def __init__(self, features: int = 16) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, features), nn.Tanh(), nn.Linear(features, 1))

    def forward(self, positions: Float[Tensor, "atoms 3"]) -> Float[Tensor, "atoms 3"]:
        with torch.enable_grad():
            positions = positions.detach().requires_grad_(True)
            energy = self.net(positions).sum()
            return -torch.autograd.grad(energy, positions, create_graph=True)[0]


class Scan(nn.Module):
    """A state space, step by step."""

    def __init__(self, dim: int = 6, state: int = 4) -> None:
        super().__init__()
        self.log_a = nn.Parameter(torch.zeros(dim, state))
        self.bc = nn.Linear(dim, 2 * state)
        self.state = state

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        b_in, c_out = self.bc(x).split(self.state, dim=-1)
        h = x.new_zeros(x.shape[0], x.shape[2], self.state)
        decay = -self.log_a.exp()
        ys = []
        for step in range(x.shape[1]):
            h = h * decay.exp() + x[:, step, :, None] * b_in[:, step, None, :]
            ys.append((h * c_out[:, step, None, :]).sum(-1))
        return torch.stack(ys, dim=1)


class ScanStack(nn.Module):
    """Stacks the steps in front of the batch."""

    def __init__(self, dim: int = 6) -> None:
        super().__init__()
        self.cell = nn.GRUCell(dim, dim)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        h = x.new_zeros(x.shape[0], x.shape[2])
        ys = []
        for step in range(x.shape[1]):
            h = self.cell(x[:, step], h)
            ys.append(h)
        return torch.stack(ys)  # planted: shape-mismatch


class Queue(nn.Module):
    """MoCo's queue of keys: written in train mode only."""

    def __init__(self, dim: int = 8, length: int = 32) -> None:
        super().__init__()
        self.encoder = nn.Linear(dim, dim)
        self.register_buffer("queue", F.normalize(torch.randn(length, dim), dim=1))
        self.register_buffer("at", torch.zeros(1, dtype=torch.long))

    def forward(self, x: Float[Tensor, "b dim"]) -> Float[Tensor, "b length"]:
        q = F.normalize(self.encoder(x), dim=1)
        logits = q @ self.queue.clone().detach().T
        if self.training:
            with torch.no_grad():
                places = (self.at + torch.arange(q.shape[0], device=q.device)) % self.queue.shape[0]
                self.queue[places] = q.detach()
                self.at += q.shape[0]
        return logits


class Dlrm(nn.Module):
    """Dense and sparse features, and their products."""

    def __init__(self, dense: int = 7, tables: tuple[int, ...] = (10, 20, 5), dim: int = 4) -> None:
        super().__init__()
        self.bottom = nn.Linear(dense, dim)
        self.tables = nn.ModuleList(nn.Embedding(n, dim) for n in tables)
        pairs = (len(tables) + 1) * len(tables) // 2
        self.top = nn.Linear(dim + pairs, 1)

    def forward(self, dense: Float[Tensor, "b dense"], sparse: Int[Tensor, "b 3"]) -> Float[Tensor, "b"]:
        x = self.bottom(dense)
        vectors = torch.stack([x, *(table(sparse[:, i]) for i, table in enumerate(self.tables))], dim=1)
        products = vectors @ vectors.transpose(1, 2)
        rows, cols = torch.triu_indices(products.shape[1], products.shape[1], offset=1, device=x.device)
        return self.top(torch.cat([x, products[:, rows, cols]], dim=1)).squeeze(1)


class DlrmTables(nn.Module):
    """Gives the second table the first column."""

    def __init__(self, dim: int = 4) -> None:
        super().__init__()
        self.one = nn.Embedding(10, dim)
        self.two = nn.Embedding(4, dim)  # planted: missing-gradient

    def forward(self, sparse: Int[Tensor, "b 2"]) -> Float[Tensor, "b dim"]:
        return self.one(sparse[:, 0]) + self.one(sparse[:, 1])


class Masked(nn.Module):
    """A mask for each pair."""

    def __init__(self, dim: int = 12, heads: int = 3) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(
        self, x: Float[Tensor, "b t dim"], mask: Bool[Tensor, "b 1 t t"] | None = None, causal: bool = False
    ) -> Float[Tensor, "b t dim"]:
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
        return y.transpose(1, 2).flatten(2)


class MaskedLayers(nn.Module):
    """Past keys and values of each layer, in a list."""

    def __init__(self, dim: int = 12, layers: int = 2) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, 2 * dim) for _ in range(layers))

    def forward(
        self,
        x: Float[Tensor, "b t dim"],
        past: list[tuple[Float[Tensor, "b s dim"], Float[Tensor, "b s dim"]]] | None = None,
    ) -> Float[Tensor, "b t dim"]:
        for index, layer in enumerate(self.layers):
            k, v = layer(x).chunk(2, -1)
            if past is not None:
                k, v = torch.cat([past[index][0], k], 1), torch.cat([past[index][1], v], 1)
            x = x + (x @ k.mT).softmax(-1) @ v
        return x


class Decoder(nn.Module):
    """Torch's own decoder layer."""

    def __init__(self, vocab: int = 40, dim: int = 16) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.layer = nn.TransformerDecoder(nn.TransformerDecoderLayer(dim, 4, 32, batch_first=True), 1)
        self.out = nn.Linear(dim, vocab)

    def forward(
        self, tokens: Int[Tensor, "b t"], memory: Float[Tensor, "b s dim"], padding: Bool[Tensor, "b t"] | None = None
    ) -> Float[Tensor, "b t vocab"]:
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1], device=tokens.device)
        bias = None if padding is None else torch.zeros_like(padding, dtype=mask.dtype).masked_fill(padding, -1e9)
        y = self.layer(self.emb(tokens), memory, tgt_mask=mask, tgt_key_padding_mask=bias)
        return self.out(y)


class Fourier(nn.Module):
    """NeRF's features of places."""

    def __init__(self, bands: int = 4, hidden: int = 16) -> None:
        super().__init__()
        self.register_buffer("freqs", 2.0 ** torch.arange(bands))
        self.net = nn.Sequential(nn.Linear(3 + 3 * 2 * bands, hidden), nn.ReLU(), nn.Linear(hidden, 4))

    def forward(self, points: Float[Tensor, "*n 3"]) -> tuple[Float[Tensor, "*n 3"], Float[Tensor, "*n"]]:
        angles = (points.unsqueeze(-1) * self.freqs).flatten(-2)
        y = self.net(torch.cat([points, angles.sin(), angles.cos()], -1))
        return y[..., :3].sigmoid(), F.softplus(y[..., 3])


class FourierKeep(nn.Module):
    """The density keeps its last axis."""

    def __init__(self, hidden: int = 16) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, hidden), nn.ReLU(), nn.Linear(hidden, 4))

    def forward(self, points: Float[Tensor, "*n 3"]) -> tuple[Float[Tensor, "*n 3"], Float[Tensor, "*n"]]:
        y = self.net(points)
        return y[..., :3].sigmoid(), F.softplus(y[..., 3:])  # planted: shape-mismatch


class Fpn(nn.Module):
    """Maps of three levels, each half the one before."""

    def __init__(self, channels: tuple[int, ...] = (8, 16, 32), out: int = 12) -> None:
        super().__init__()
        self.inner = nn.ModuleList(nn.Conv2d(c, out, 1) for c in channels)

    def forward(
        self, c2: Float[Tensor, "b 8 4*h 4*w"], c3: Float[Tensor, "b 16 2*h 2*w"], c4: Float[Tensor, "b 32 h w"]
    ) -> list[Float[Tensor, "b 12 _ _"]]:
        x = self.inner[2](c4)
        found = [x]
        for layer, feature in ((self.inner[1], c3), (self.inner[0], c2)):
            x = layer(feature) + F.interpolate(x, scale_factor=2.0, mode="nearest")
            found.append(x)
        return found


class FpnScale(nn.Module):
    """Four times where twice is meant."""

    def __init__(self, out: int = 12) -> None:
        super().__init__()
        self.large = nn.Conv2d(16, out, 1)
        self.small = nn.Conv2d(32, out, 1)

    def forward(
        self, c3: Float[Tensor, "b 16 2*h 2*w"], c4: Float[Tensor, "b 32 h w"]
    ) -> Float[Tensor, "b 12 2*h 2*w"]:
        return self.large(c3) + F.interpolate(self.small(c4), scale_factor=4.0)  # planted: shape-mismatch


class Hyper(nn.Module):
    """Weights that another network makes."""

    def __init__(self, d_in: int = 5, d_out: int = 3, code: int = 4) -> None:
        super().__init__()
        self.d_in, self.d_out = d_in, d_out
        self.make = nn.Linear(code, d_in * d_out)

    def forward(self, x: Float[Tensor, "b d_in"], z: Float[Tensor, "b code"]) -> Float[Tensor, "b d_out"]:
        weight = self.make(z).view(-1, self.d_in, self.d_out)
        return torch.bmm(x.unsqueeze(1), weight).squeeze(1)


class Triplet(nn.Module):
    """Three inputs of one shape through one encoder."""

    def __init__(self, margin: float = 0.5, features: int = 9) -> None:
        super().__init__()
        self.encoder = nn.Linear(features, 4)
        self.margin = margin

    def forward(
        self, anchor: Float[Tensor, "b features"], near: Float[Tensor, "b features"], far: Float[Tensor, "b features"]
    ) -> Float[Tensor, ""]:
        a, n, f = self.encoder(anchor), self.encoder(near), self.encoder(far)
        return F.relu((a - n).norm(dim=-1) - (a - f).norm(dim=-1) + self.margin).mean()


class TripletKeep(nn.Module):
    """One of the two distances keeps its axis."""

    def __init__(self, margin: float = 0.5, features: int = 9) -> None:
        super().__init__()
        self.encoder = nn.Linear(features, 4)
        self.margin = margin

    def forward(
        self, anchor: Float[Tensor, "b features"], near: Float[Tensor, "b features"], far: Float[Tensor, "b features"]
    ) -> Float[Tensor, ""]:
        a, n, f = self.encoder(anchor), self.encoder(near), self.encoder(far)
        gap = (a - n).norm(dim=-1, keepdim=True) - (a - f).norm(dim=-1)  # planted: silent-broadcast
        return F.relu(gap + self.margin).mean()


class Weighted(nn.Module):
    """A loss with class weights and soft labels."""

    def __init__(self, classes: int = 5) -> None:
        super().__init__()
        self.register_buffer("weight", torch.ones(classes))

    def forward(self, logits: Float[Tensor, "b classes"], target: Int[Tensor, "b"]) -> Float[Tensor, ""]:
        return F.cross_entropy(logits, target, weight=self.weight, label_smoothing=0.1)


class Pooled(nn.Module):
    """A pixel's class by an index along an axis."""

    def __init__(self, classes: int = 4, channels: int = 6) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, classes, 1)

    def forward(
        self, x: Float[Tensor, "b channels h w"], labels: Int[Tensor, "b h w"], ignore: int = 255
    ) -> Float[Tensor, "b h w"]:
        logp = self.conv(x).log_softmax(1)
        return logp.gather(1, labels.unsqueeze(1)).squeeze(1)


class PooledAxis(nn.Module):
    def __init__(self, classes: int = 4, channels: int = 6) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, classes, 1)

    def forward(self, x: Float[Tensor, "b channels h w"], labels: Int[Tensor, "b h w"]) -> Float[Tensor, "b h w"]:
        logp = self.conv(x).log_softmax(1)
        return logp.gather(1, labels).squeeze(1)  # planted: shape-mismatch


class Phases(nn.Module):
    """A buffer that is an expanded view, into which even `load_state_dict` cannot write."""

    def __init__(self, octaves: int = 3) -> None:
        super().__init__()
        self.register_buffer("phases", torch.tensor([0.0, 1.5]).expand(octaves, 2))  # planted: lost-state

    def forward(self, x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d wide"]:
        return torch.sin(x[..., None, None] * self.phases).flatten(-2)
