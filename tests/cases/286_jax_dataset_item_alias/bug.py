from typing import Iterator, TypeAlias

import torch
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped
from torch import Tensor, nn

Frame: TypeAlias = Float[Tensor, "3 h w"]
Clip: TypeAlias = Float[Tensor, "t 3 h w"]


@jaxtyped(typechecker=beartype)
def to_clip(frames: list[Frame], stride: int = 1) -> Clip:
    return torch.stack(frames[::stride], dim=1)


def videos(n: int, frames: int) -> Iterator[tuple[Clip, int]]:
    for i in range(n):
        yield to_clip([torch.rand(3, 12, 16) for _ in range(frames)]), i % 2


class ClipNet(nn.Module):
    def __init__(self, classes: int = 2):
        super().__init__()
        self.frame = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.time = nn.Conv1d(8, 8, 3, padding=1)
        self.fc = nn.Linear(8, classes)

    def forward(self, clips: Float[Tensor, "b t 3 h w"]) -> Float[Tensor, "b classes"]:
        b, t = clips.shape[:2]
        f = self.frame(clips.flatten(0, 1)).view(b, t, -1)
        return self.fc(self.time(f.transpose(1, 2)).relu().mean(-1))


def main() -> None:
    clips, labels = zip(*videos(4, 6))
    logits = ClipNet()(torch.stack(clips))
    print(nn.functional.cross_entropy(logits, torch.tensor(labels)).item())


if __name__ == "__main__":
    main()
