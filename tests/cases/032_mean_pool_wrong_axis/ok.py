import torch
from beartype import beartype
from jaxtyping import Bool, Float, Int, jaxtyped
from torch import Tensor, nn


@jaxtyped(typechecker=beartype)
def masked_mean(
    hidden: Float[Tensor, "b tokens dim"], keep: Bool[Tensor, "b tokens"]
) -> Float[Tensor, "b dim"]:
    weight = keep.unsqueeze(-1).to(hidden.dtype)
    return (hidden * weight).sum(dim=1) / weight.sum(dim=1).clamp(min=1.0)


class SentenceEncoder(nn.Module):
    def __init__(self, vocab: int = 200, dim: int = 32, pad: int = 0):
        super().__init__()
        self.pad = pad
        self.emb = nn.Embedding(vocab, dim, padding_idx=pad)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1)

    def forward(self, ids: Int[Tensor, "b tokens"]) -> Float[Tensor, "b dim"]:
        keep = ids != self.pad
        hidden = self.encoder(self.emb(ids), src_key_padding_mask=~keep)
        return masked_mean(hidden, keep)


def main() -> None:
    ids = torch.randint(1, 200, (4, 9))
    print(SentenceEncoder()(ids).shape)


if __name__ == "__main__":
    main()
