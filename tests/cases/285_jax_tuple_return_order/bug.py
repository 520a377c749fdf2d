import torch
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped
from torch import Tensor, nn


@jaxtyped(typechecker=beartype)
def top_tokens(
    scores: Float[Tensor, "batch vocab"], k: int
) -> tuple[Float[Tensor, "batch k"], Int[Tensor, "batch k"]]:
    values, ids = scores.topk(k, dim=-1)
    return ids, values


class Sampler:
    def __init__(self, k: int = 4, temperature: float = 0.8) -> None:
        self.k, self.temperature = k, temperature

    def __call__(self, logits: Float[Tensor, "batch vocab"]) -> Int[Tensor, "batch"]:
        values, ids = top_tokens(logits / self.temperature, self.k)
        pick = torch.multinomial(values.softmax(-1), 1)
        return ids.gather(1, pick).squeeze(1)


class Bigram(nn.Module):
    def __init__(self, vocab: int = 21):
        super().__init__()
        self.table = nn.Embedding(vocab, vocab)

    def forward(self, ids: Int[Tensor, "batch"]) -> Float[Tensor, "batch vocab"]:
        return self.table(ids)


def main() -> None:
    model, sample = Bigram(), Sampler()
    ids = torch.tensor([1, 2, 3])
    out = [ids]
    for _ in range(5):
        ids = sample(model(ids))
        out.append(ids)
    print(torch.stack(out, dim=1).shape)


if __name__ == "__main__":
    main()
