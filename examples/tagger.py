"""An LSTM that gives each word of a sentence a tag."""

import torch
from torch import Tensor, nn


class Tagger(nn.Module):
    """Word ids and sentence lengths to one row of tag scores per word."""

    def __init__(self, words: int = 50, tags: int = 7, width: int = 24) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, width, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * width, tags)

    def forward(self, words: Tensor, *, mask: Tensor | None = None) -> Tensor:
        """Scores of shape (batch, words, tags), zero where `mask` is False."""
        states, _ = self.lstm(self.embed(words))
        scores: Tensor = self.score(states)
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(-1), 0.0)
        return scores


def predict(model: Tagger, words: Tensor) -> Tensor:
    """The best tag of every word; calls forward directly, which skips hooks."""
    return model.forward(words).argmax(-1)


def main() -> None:
    """Tag three sentences of nine words."""
    model = Tagger()
    words = torch.randint(50, (3, 9))
    print(tuple(predict(model, words).shape))  # noqa: T201


if __name__ == "__main__":
    main()
