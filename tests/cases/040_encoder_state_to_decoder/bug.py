import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class Encoder(nn.Module):
    def __init__(self, vocab: int, dim: int):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, bidirectional=True, batch_first=True)
        self.bridge = nn.Linear(2 * dim, dim)

    def forward(self, src: Int[Tensor, "b s"]) -> Float[Tensor, "layers b dim"]:
        _, h = self.rnn(self.emb(src))
        return torch.tanh(h)


class Decoder(nn.Module):
    def __init__(self, vocab: int, dim: int):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, trg: Int[Tensor, "b t"], h: Float[Tensor, "layers b dim"]) -> Float[Tensor, "b t vocab"]:
        y, _ = self.rnn(self.emb(trg), h)
        return self.out(y)


def main() -> None:
    enc, dec = Encoder(60, 24), Decoder(70, 24)
    src, trg = torch.randint(0, 60, (4, 9)), torch.randint(0, 70, (4, 7))
    logits = dec(trg[:, :-1], enc(src))
    loss = nn.functional.cross_entropy(logits.transpose(1, 2), trg[:, 1:])
    print(loss.item())


if __name__ == "__main__":
    main()
