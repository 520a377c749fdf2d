import torch
from torch import nn
from torch.nn import functional as F


class CachedAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        assert n_embd % n_head == 0
        self.n_head, self.head_dim = n_head, n_embd // n_head
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)

    def forward(self, x, past=None):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        q, k, v = (t.view(B, T, self.n_head, self.head_dim).transpose(1, 2) for t in (q, k, v))
        if past is not None:
            pk, pv = past
            k = torch.cat((pk, k), dim=1)
            v = torch.cat((pv, v), dim=1)
        present = (k, v)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=past is None)
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.c_proj(y), present


class Decoder(nn.Module):
    def __init__(self, vocab=50, n_layer=2, n_embd=24, n_head=3, block=32):
        super().__init__()
        self.wte = nn.Embedding(vocab, n_embd)
        self.wpe = nn.Embedding(block, n_embd)
        self.h = nn.ModuleList([CachedAttention(n_embd, n_head) for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd)
        self.lm_head = nn.Linear(n_embd, vocab, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, idx, past=None):
        start = 0 if past is None else past[0][0].size(2)
        pos = torch.arange(start, start + idx.size(1))
        x = self.wte(idx) + self.wpe(pos)
        presents = []
        for i, block in enumerate(self.h):
            out, kv = block(x, None if past is None else past[i])
            x = x + out
            presents.append(kv)
        return self.lm_head(self.ln_f(x))[:, -1], presents


@torch.inference_mode()
def generate(model, idx, n_new):
    logits, past = model(idx)
    for _ in range(n_new):
        nxt = logits.argmax(-1, keepdim=True)
        idx = torch.cat([idx, nxt], dim=1)
        logits, past = model(nxt, past)
    return idx


if __name__ == "__main__":
    print(generate(Decoder().eval(), torch.randint(0, 50, (2, 7)), 4).shape)
