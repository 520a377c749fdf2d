"""`examples/unet.py` with an error: too many channels are concatenated."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F


class Convolutions(nn.Module):
    """Two convolutions that keep the image's size."""

    def __init__(self, inputs: int = 3, outputs: int = 8) -> None:
        super().__init__()
        self.outputs = outputs
        self.first = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.first_norm = nn.GroupNorm(4, outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.second_norm = nn.GroupNorm(4, outputs)

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b {self.outputs} h w"]:
        """Change the number of channels."""
        x = F.silu(self.first_norm(self.first(x)))
        return F.silu(self.second_norm(self.second(x)))


class Down(nn.Module):
    """Half the size, twice the channels."""

    def __init__(self, channels: int = 8) -> None:
        super().__init__()
        self.shrink = nn.Conv2d(channels, channels, 3, stride=2, padding=1)
        self.convolutions = Convolutions(channels, 2 * channels)

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b 2*c (h+1)//2 (w+1)//2"]:
        """Odd sizes are rounded up."""
        small: Float[Tensor, "b c (h+1)//2 (w+1)//2"] = self.shrink(x)
        result: Float[Tensor, "b 2*c (h+1)//2 (w+1)//2"] = self.convolutions(small)
        return result


class Up(nn.Module):
    """Upsample to the size and the channels of the skip connection."""

    def __init__(self, channels: int = 8) -> None:
        super().__init__()
        self.narrow = nn.Conv2d(2 * channels, channels, 1)
        self.convolutions = Convolutions(2 * channels, channels)

    def forward(self, skip: Float[Tensor, "b c h w"], x: Float[Tensor, "b 2*c _ _"]) -> Float[Tensor, "b c h w"]:
        """Upsample the input and join it with the skip connection."""
        grown: Float[Tensor, "b c h w"] = F.interpolate(self.narrow(x), size=skip.shape[2:])
        joined: Float[Tensor, "b 2*c h w"] = torch.cat([skip, skip, grown], dim=1)  # planted: shape-mismatch
        result: Float[Tensor, "b c h w"] = self.convolutions(joined)
        return result


class UNet(nn.Module):
    """Images of any size to class scores for each pixel."""

    def __init__(self, channels: int = 3, width: int = 8, classes: int = 5) -> None:
        super().__init__()
        self.channels = channels
        self.classes = classes
        self.start = Convolutions(channels, width)
        self.down = nn.ModuleList([Down(width), Down(2 * width)])
        self.up = nn.ModuleList([Up(2 * width), Up(width)])
        self.score = nn.Conv2d(width, classes, 1)

    def forward(self, images: Float[Tensor, "b {self.channels} h w"]) -> Float[Tensor, "b {self.classes} h w"]:
        """Downsample and keep each size, then upsample."""
        kept = [self.start(images)]
        for down in self.down:
            kept.append(down(kept[-1]))
        x = kept.pop()
        for up in self.up:
            x = up(kept.pop(), x)
        scores: Float[Tensor, "b {self.classes} h w"] = self.score(x)
        return scores


def main() -> None:
    """Score the pixels of two random images of an odd size."""
    scores = UNet()(torch.randn(2, 3, 21, 32))
    print(tuple(scores.shape))


if __name__ == "__main__":
    main()
