from typing import Union

import torch
from jaxtyping import Float
from torch import Tensor, nn

Mono = Float[Tensor, "b t"]
Stereo = Float[Tensor, "b 2 t"]


def to_mono(audio: Union[Mono, Stereo]) -> Float[Tensor, "b 1 t"]:
    if audio.ndim == 2:
        return audio.unsqueeze(1)
    return audio


class Vad(nn.Module):
    def __init__(self, width: int = 8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, width, 16, stride=8),
            nn.ELU(),
            nn.Conv1d(width, 1, 1),
        )

    def forward(self, audio: Union[Mono, Stereo]) -> Float[Tensor, "b frames"]:
        return self.net(to_mono(audio)).squeeze(1)


def main() -> None:
    vad = Vad()
    for audio in (torch.randn(3, 160), torch.randn(3, 2, 160)):
        p = torch.sigmoid(vad(audio))
        print((p > 0.5).sum(dim=-1))


if __name__ == "__main__":
    main()
