import argparse

import torch
import torch.nn as nn

MASK, IGNORE = 1, -100


def mask_tokens(ids, p=0.3, vocab=60, generator=None):
    labels = ids.clone()
    chosen = torch.bernoulli(torch.full(labels.shape, p), generator=generator).bool()
    chosen[:, 0] = True
    labels[~chosen] = IGNORE
    replaced = ids.masked_fill(chosen, MASK)
    return replaced, labels


class BertLike(nn.Module):
    def __init__(self, vocab, hidden, layers, heads, max_len):
        super().__init__()
        self.word = nn.Embedding(vocab, hidden)
        self.position = nn.Embedding(max_len, hidden)
        self.register_buffer("position_ids", torch.arange(max_len).expand((1, -1)))
        self.drop, self.norm = nn.Dropout(0.1), nn.LayerNorm(hidden, eps=1e-12)
        layer = nn.TransformerEncoderLayer(hidden, heads, hidden * 4, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.decoder = nn.Linear(hidden, vocab, bias=False)
        self.bias = nn.Parameter(torch.zeros(vocab))
        self.decoder.weight = self.word.weight

    def forward(self, ids, labels=None):
        n = ids.shape[1]
        x = self.norm(self.word(ids) + self.position(self.position_ids[:, :n]))
        scores = self.decoder(self.encoder(self.drop(x))) + self.bias
        if labels is None:
            return scores
        loss_fn = nn.CrossEntropyLoss(ignore_index=IGNORE)
        return loss_fn(scores.view(-1, scores.size(-1)), labels.view(-1)), scores


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--layers", type=int, default=1)
    p.add_argument("--heads", type=int, default=4)
    p.add_argument("--max_len", type=int, default=24)
    p.add_argument("--steps", type=int, default=2)
    args = p.parse_args([])
    model = BertLike(60, args.hidden, args.layers, args.heads, args.max_len)
    for step in range(args.steps):
        ids, labels = mask_tokens(torch.randint(2, 60, (4, 16)))
        loss, _ = model(ids, labels)
        loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
