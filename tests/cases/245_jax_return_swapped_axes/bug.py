import torch
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped
from torch import Tensor, nn

Logits = Float[Tensor, "batch vocab time"]


class Decoder(nn.Module):
    vocab: int

    def __init__(self, vocab: int = 30, dim: int = 12):
        super().__init__()
        self.vocab = vocab
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    @jaxtyped(typechecker=beartype)
    def forward(self, ids: Int[Tensor, "batch time"]) -> Float[Tensor, "batch {self.vocab} time"]:
        h, _ = self.rnn(self.emb(ids))
        return self.out(h)


class Perplexity:
    def __init__(self) -> None:
        self.nll, self.n = 0.0, 0

    def update(self, logits: Logits, target: Int[Tensor, "batch time"]) -> None:
        nll = nn.functional.cross_entropy(logits, target, reduction="none")
        self.nll += nll.sum().item()
        self.n += nll.numel()

    def compute(self) -> float:
        return float(torch.tensor(self.nll / self.n).exp())


def main() -> None:
    model, ppl = Decoder(), Perplexity()
    ids = torch.randint(0, 30, (4, 9))
    ppl.update(model(ids[:, :-1]), ids[:, 1:])
    print(ppl.compute())


if __name__ == "__main__":
    main()
