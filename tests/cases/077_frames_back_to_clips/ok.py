import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor, nn


class TemporalAttention(nn.Module):
    def __init__(self, dim: int, frames: int):
        super().__init__()
        self.frames = frames
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)

    def forward(self, x: Float[Tensor, "bf n dim"]) -> Float[Tensor, "bf n dim"]:
        n = x.shape[1]
        x = rearrange(x, "(b f) n d -> (b n) f d", f=self.frames)
        x = x + self.attn(x, x, x)[0]
        return rearrange(x, "(b n) f d -> (b f) n d", n=n)


class MotionNet(nn.Module):
    def __init__(self, frames: int = 8, dim: int = 16):
        super().__init__()
        self.stem = nn.Conv2d(3, dim, 4, stride=4)
        self.temporal = TemporalAttention(dim, frames - 1)

    def forward(self, clip: Float[Tensor, "b f 3 h w"]) -> Float[Tensor, "b dim"]:
        diff = clip[:, 1:] - clip[:, :-1]
        x = self.stem(rearrange(diff, "b f c h w -> (b f) c h w"))
        x = self.temporal(rearrange(x, "bf d h w -> bf (h w) d"))
        return rearrange(x, "(b f) n d -> b (f n) d", b=clip.shape[0]).mean(dim=1)


def main() -> None:
    print(MotionNet()(torch.rand(2, 8, 3, 16, 16)).shape)


if __name__ == "__main__":
    main()
