"""`examples/lstm_tagger.py` with an error: the probabilities of a sentence depend on the others in its batch."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F


class Tagger(nn.Module):
    """Word ids to the log-probabilities of the tags of each word."""

    def __init__(self, words: int = 50, tags: int = 7, width: int = 24) -> None:
        super().__init__()
        self.tags = tags
        self.embed = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width, batch_first=True, bidirectional=True)
        self.norm = nn.LayerNorm(2 * width)
        self.score = nn.Linear(2 * width, tags)

    def forward(
        self, words: Int[Tensor, "b t"], *, mask: Bool[Tensor, "b t"] | None = None
    ) -> Float[Tensor, "b t {self.tags}"]:
        """The logarithm of each tag's probability, zero where `mask` is False."""
        embedded: Float[Tensor, "b t d"] = self.embed(words)
        states: Float[Tensor, "b t 2*d"] = self.lstm(embedded)[0]
        scores: Float[Tensor, "b t {self.tags}"] = self.score(self.norm(states))
        chances = scores.log_softmax(dim=0)  # planted: batch-dependence
        if mask is not None:
            chances = chances.masked_fill(~mask.unsqueeze(-1), 0.0)
        return chances


def loss(chances: Float[Tensor, "b t tags"], tags: Int[Tensor, "b t"], mask: Bool[Tensor, "b t"]) -> Float[Tensor, ""]:
    """The mean over the sentences of the mean over the words that `mask` keeps."""
    each: Float[Tensor, "b t"] = F.nll_loss(chances.transpose(1, 2), tags, reduction="none")
    lengths: Int[Tensor, "b 1"] = mask.sum(dim=1, keepdim=True)
    sentences: Float[Tensor, "b"] = ((each * mask) / lengths).sum(dim=1)
    return sentences.mean()


def predict(model: Tagger, words: Int[Tensor, "b t"]) -> Int[Tensor, "b t"]:
    """The best tag of every word."""
    best: Int[Tensor, "b t"] = model(words).argmax(dim=-1)
    return best


def main() -> None:
    """Tag three sentences of nine words."""
    model = Tagger()
    words = torch.randint(50, (3, 9))
    mask = torch.arange(9) < torch.tensor([9, 4, 7])[:, None]
    tags = predict(model, words)
    torch.autograd.backward(loss(model(words, mask=mask), tags, mask))
    print(tuple(tags.shape))


if __name__ == "__main__":
    main()
