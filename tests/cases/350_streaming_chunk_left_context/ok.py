import torch
from torch import nn


class StreamingState:
    def __init__(self, layers):
        self.past = [None] * layers

    def context(self, index, x, limit):
        joined = x if self.past[index] is None else torch.cat([self.past[index], x], dim=1)
        self.past[index] = joined[:, -limit:].detach()
        return joined


class ChunkLayer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.q, self.kv, self.out = nn.Linear(dim, dim), nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.SiLU(), nn.Linear(2 * dim, dim))

    def split(self, t):
        return t.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, context, mask):
        q = self.split(self.q(self.norm1(x)))
        k, v = (self.split(t) for t in self.kv(self.norm1(context)).chunk(2, dim=-1))
        scores = q @ k.mT / q.shape[-1] ** 0.5 + mask
        x = x + self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
        return x + self.ff(self.norm2(x))


class StreamingEncoder(nn.Module):
    def __init__(self, features=10, dim=16, heads=2, depth=2, chunk=8, left=8):
        super().__init__()
        self.chunk, self.left = chunk, left
        self.embed = nn.Linear(features, dim)
        self.layers = nn.ModuleList([ChunkLayer(dim, heads) for _ in range(depth)])

    def mask(self, queries, keys):
        offset = keys - queries
        allowed = torch.arange(keys)[None] <= torch.arange(queries)[:, None] + offset
        return torch.zeros(queries, keys).masked_fill(~allowed, float("-inf"))

    def process(self, frames, state):
        x = self.embed(frames)
        for i, layer in enumerate(self.layers):
            context = state.context(i, x, self.left)
            mask = self.mask(x.shape[1], context.shape[1])
            x = layer(x, context, mask)
        return x

    def forward(self, frames):
        state = StreamingState(len(self.layers))
        return torch.cat([self.process(part, state) for part in frames.split(self.chunk, dim=1)], dim=1)


class WakeWord(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = StreamingEncoder()
        self.head = nn.Linear(16, 1)

    def forward(self, frames):
        return self.head(self.encoder(frames)).squeeze(-1).sigmoid().amax(dim=1)


def microphone(seconds, rate=10):
    return torch.randn(2, int(seconds * rate), 10)


def main():
    model = WakeWord().eval()
    with torch.no_grad():
        for seconds in (1.6, 3.0):
            print(model(microphone(seconds)))


if __name__ == "__main__":
    main()
