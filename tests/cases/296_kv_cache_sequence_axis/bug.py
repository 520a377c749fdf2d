import torch
from torch import nn


class KVCache:
    def __init__(self):
        self.keys, self.values = {}, {}

    def update(self, layer, k, v):
        if layer in self.keys:
            k = torch.cat([self.keys[layer], k], dim=1)
            v = torch.cat([self.values[layer], v], dim=1)
        self.keys[layer], self.values[layer] = k, v
        return k, v


class SelfAttention(nn.Module):
    def __init__(self, dim, heads, layer):
        super().__init__()
        assert dim % heads == 0
        self.heads, self.layer = heads, layer
        self.scale = (dim // heads) ** -0.5
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.proj = nn.Linear(dim, dim)

    def split(self, t):
        b, n, d = t.shape
        return t.reshape(b, n, self.heads, d // self.heads).permute(0, 2, 1, 3)

    def forward(self, x, cache=None):
        q = self.split(self.to_q(x)) * self.scale
        k, v = map(self.split, self.to_kv(x).chunk(2, dim=-1))
        if cache is not None:
            k, v = cache.update(self.layer, k, v)
        weights = torch.matmul(q, k.transpose(-1, -2)).softmax(dim=-1)
        out = torch.matmul(weights, v)
        return self.proj(out.permute(0, 2, 1, 3).flatten(2))


class TinyLM(nn.Module):
    def __init__(self, vocab=40, dim=24, heads=3, depth=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList()
        for i in range(depth):
            self.layers.append(nn.ModuleList([nn.LayerNorm(dim), SelfAttention(dim, heads, i)]))
        self.norm = nn.LayerNorm(dim)

    def forward(self, ids, cache=None):
        x = self.embed(ids)
        for norm, attn in self.layers:
            x = x + attn(norm(x), cache)
        return self.norm(x) @ self.embed.weight.t()


def sample(model, ids, new_tokens=4):
    cache = KVCache()
    step = ids
    for _ in range(new_tokens):
        logits = model(step, cache)
        step = torch.multinomial(logits[:, -1].softmax(-1), 1)
        ids = torch.cat([ids, step], dim=1)
    return ids


if __name__ == "__main__":
    torch.manual_seed(0)
    print(sample(TinyLM().eval(), torch.randint(0, 40, (2, 7))))
