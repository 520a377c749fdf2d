import torch
from beartype import beartype
from jaxtyping import Float, jaxtyped
from torch import Tensor, nn


class Listener(nn.Module):
    def __init__(self, mels: int = 20, hidden: int = 24):
        super().__init__()
        self.rnn = nn.GRU(mels, hidden, batch_first=True)

    @jaxtyped(typechecker=beartype)
    def forward(
        self, mel: Float[Tensor, "b t mels"]
    ) -> tuple[Float[Tensor, "b t hidden"], Float[Tensor, "b hidden"]]:
        out, h = self.rnn(mel)
        return out, h.squeeze(0)


@jaxtyped(typechecker=beartype)
def pool(
    out: Float[Tensor, "b t hidden"], query: Float[Tensor, "b hidden"]
) -> Float[Tensor, "b hidden"]:
    score = torch.einsum("bth,bh->bt", out, query)
    return torch.einsum("bt,bth->bh", score.softmax(dim=-1), out)


def main() -> None:
    listener = Listener()
    head = nn.Linear(24, 3)
    mel = torch.randn(4, 30, 20)
    last, out = listener(mel)
    print(head(pool(out, last)).argmax(dim=-1))


if __name__ == "__main__":
    main()
