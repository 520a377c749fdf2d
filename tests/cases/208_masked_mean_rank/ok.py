from typing import TypedDict

import torch
from torch import Tensor, nn


class Inputs(TypedDict):
    input_ids: Tensor
    attention_mask: Tensor


def batch_of(n: int = 3, t: int = 8) -> Inputs:
    ids = torch.randint(1, 50, (n, t))
    mask = torch.ones(n, t, dtype=torch.long)
    mask[:, t // 2 :] = 0
    return {"input_ids": ids * mask, "attention_mask": mask}


class SentenceEncoder(nn.Module):
    def __init__(self, vocab=50, dim=24, layers=1):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        layer = nn.TransformerEncoderLayer(d_model=dim, nhead=4, dim_feedforward=48, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, num_layers=layers)

    def mean_pool(self, hidden, mask):
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        return (hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9)

    def forward(self, input_ids, attention_mask):
        hidden = self.enc(self.emb(input_ids), src_key_padding_mask=attention_mask == 0)
        return self.mean_pool(hidden, attention_mask)


def main() -> None:
    model = SentenceEncoder().train()
    batch = batch_of()
    emb = model(**batch)
    print(torch.nn.functional.cosine_similarity(emb[:1], emb[1:]))


if __name__ == "__main__":
    main()
