import torch
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped
from torch import Tensor, nn


@jaxtyped(typechecker=beartype)
def reorder(
    state: Float[Tensor, "b beams dim"], parent: Int[Tensor, "b beams"]
) -> Float[Tensor, "b beams dim"]:
    return state.gather(1, parent)


class Step(nn.Module):
    def __init__(self, vocab: int = 20, dim: int = 16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.mix = nn.Linear(2 * dim, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, token, state):
        state = torch.tanh(self.mix(torch.cat([self.emb(token), state], dim=-1)))
        return self.out(state).log_softmax(dim=-1), state


def main() -> None:
    step, (b, beams) = Step(), (3, 4)
    token, score = torch.zeros(b, beams, dtype=torch.long), torch.zeros(b, beams)
    state = torch.zeros(b, beams, 16)
    for _ in range(3):
        logp, state = step(token, state)
        total = (score.unsqueeze(-1) + logp).flatten(1)
        score, flat = total.topk(beams, dim=-1)
        parent, token = flat // 20, flat % 20
        state = reorder(state, parent)
    print(score.shape)


if __name__ == "__main__":
    main()
