import torch
import torch.nn.functional as F
from torch import nn


class Expert(nn.Module):
    def __init__(self, dim, mult=2):
        super().__init__()
        self.w1 = nn.Linear(dim, dim * mult, bias=False)
        self.w2 = nn.Linear(dim * mult, dim, bias=False)
        self.w3 = nn.Linear(dim, dim * mult, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Router(nn.Module):
    def __init__(self, dim, experts, k):
        super().__init__()
        self.k = k
        self.gate = nn.Linear(dim, experts, bias=False)

    def forward(self, x):
        probs = self.gate(x).softmax(dim=-1)
        weights, chosen = probs.topk(self.k, dim=-1)
        return weights / weights.sum(-1, keepdim=True), chosen, probs


class SparseMoE(nn.Module):
    def __init__(self, dim, experts=4, k=2):
        super().__init__()
        self.router = Router(dim, experts, k)
        self.experts = nn.ModuleList([Expert(dim) for _ in range(experts)])

    def forward(self, x):
        b, n, d = x.shape
        weights, chosen, probs = self.router(x)
        flat = x.reshape(b * n, d)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            for slot in range(self.router.k):
                picked = chosen[..., slot] == i
                if picked.any():
                    out[picked] += weights[..., slot][picked, None] * expert(flat[picked])
        return out.view(b, n, d), self.balance(probs, chosen)

    def balance(self, probs, chosen):
        count = probs.shape[-1]
        share = F.one_hot(chosen, count).float().flatten(0, -2).mean(0)
        return count * (share * probs.flatten(0, -2).mean(0)).sum()


class MoETransformer(nn.Module):
    def __init__(self, vocab=50, dim=16, depth=2, heads=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.attn = nn.ModuleList([nn.MultiheadAttention(dim, heads, batch_first=True) for _ in range(depth)])
        self.moe = nn.ModuleList([SparseMoE(dim) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        x, aux = self.embed(ids), 0.0
        for attn, moe in zip(self.attn, self.moe):
            y = self.norm(x)
            x = x + attn(y, y, y, need_weights=False)[0]
            y, extra = moe(self.norm(x))
            x, aux = x + y, aux + extra
        return self.head(x), aux


def main():
    logits, aux = MoETransformer()(torch.randint(0, 50, (2, 9)))
    print(logits.shape, float(aux))


if __name__ == "__main__":
    main()
