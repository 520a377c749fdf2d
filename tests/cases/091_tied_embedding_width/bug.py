import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class RNNModel(nn.Module):
    def __init__(self, vocab: int = 100, emb: int = 48, hidden: int = 48, tie: bool = True):
        super().__init__()
        self.encoder = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hidden, num_layers=2, batch_first=True)
        self.decoder = nn.Linear(hidden, vocab)
        if tie:
            self.decoder.weight = self.encoder.weight

    def forward(self, ids: Int[Tensor, "b t"]) -> Float[Tensor, "b t vocab"]:
        out, _ = self.rnn(self.encoder(ids))
        return self.decoder(out)


def perplexity(model: nn.Module, ids: Int[Tensor, "b t"]) -> float:
    with torch.no_grad():
        logits = model(ids[:, :-1])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
    return loss.exp().item()


def main() -> None:
    model = RNNModel(emb=32)
    print(perplexity(model, torch.randint(0, 100, (3, 20))))


if __name__ == "__main__":
    main()
