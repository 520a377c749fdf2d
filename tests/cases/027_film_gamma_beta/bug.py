import torch
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped
from torch import Tensor, nn


class FiLM(nn.Module):
    def __init__(self, cond: int, channels: int):
        super().__init__()
        self.to_scale_shift = nn.Linear(cond, 2 * channels)

    def forward(self, x: Float[Tensor, "b t c"], cond: Float[Tensor, "b d"]) -> Float[Tensor, "b t c"]:
        gamma, beta = self.to_scale_shift(cond).unsqueeze(1).chunk(2, dim=-1)
        return gamma * x + beta


class Synth(nn.Module):
    def __init__(self, speakers: int = 4, spk: int = 16, dim: int = 48):
        super().__init__()
        self.speaker = nn.Embedding(speakers, spk)
        self.inp = nn.Linear(20, dim)
        self.film = FiLM(spk, 2 * dim)

    @jaxtyped(typechecker=beartype)
    def forward(self, mel: Float[Tensor, "b t 20"], who: Int[Tensor, " b"]) -> Float[Tensor, "b t dim"]:
        return self.film(self.inp(mel), self.speaker(who))


def main() -> None:
    model = Synth()
    print(model(torch.randn(3, 25, 20), torch.tensor([0, 2, 3])).shape)


if __name__ == "__main__":
    main()
