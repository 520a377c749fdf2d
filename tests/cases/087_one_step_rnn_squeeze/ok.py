import torch
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped
from torch import Tensor, nn


class StepDecoder(nn.Module):
    def __init__(self, vocab: int = 30, dim: int = 20):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    @jaxtyped(typechecker=beartype)
    def step(
        self, token: Int[Tensor, " b"], h: Float[Tensor, "1 b dim"]
    ) -> tuple[Float[Tensor, "b vocab"], Float[Tensor, "1 b dim"]]:
        y, h = self.rnn(self.emb(token).unsqueeze(1), h)
        return self.out(y.squeeze(1)), h

    @torch.no_grad()
    def greedy(self, b: int, steps: int) -> Int[Tensor, "b steps"]:
        token, h = torch.zeros(b, dtype=torch.long), torch.zeros(1, b, 20)
        out = []
        for _ in range(steps):
            logits, h = self.step(token, h)
            token = logits.argmax(dim=-1)
            out.append(token)
        return torch.stack(out, dim=1)


def main() -> None:
    model = StepDecoder().eval()
    print(model.greedy(1, 6))


if __name__ == "__main__":
    main()
