"""Detection, sampling, generative models."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


class DetectionHead(nn.Module):
    """Boxes and classes for every anchor of every pixel of several maps."""

    def __init__(self, channels: int = 16, anchors: int = 3, classes: int = 5) -> None:
        super().__init__()
        self.anchors, self.classes = anchors, classes
        self.cls = nn.Conv2d(channels, anchors * classes, 3, padding=1)
        self.box = nn.Conv2d(channels, anchors * 4, 3, padding=1)

    def forward(
        self, features: list[Float[Tensor, "b channels _ _"]]
    ) -> tuple[Float[Tensor, "b n classes"], Float[Tensor, "b n 4"]]:
        logits, boxes = [], []
        for feature in features:
            b = feature.shape[0]
            logits.append(self.cls(feature).permute(0, 2, 3, 1).reshape(b, -1, self.classes))
            boxes.append(self.box(feature).permute(0, 2, 3, 1).reshape(b, -1, 4))
        return torch.cat(logits, 1), torch.cat(boxes, 1)


class DetectionHeadView(nn.Module):
    def __init__(self, channels: int = 16, anchors: int = 3, classes: int = 5) -> None:
        super().__init__()
        self.classes = classes
        self.cls = nn.Conv2d(channels, anchors * classes, 3, padding=1)

    def forward(self, feature: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b n classes"]:
        return self.cls(feature).permute(0, 2, 3, 1).view(feature.shape[0], -1, self.classes)  # planted: non-contiguous


class Deformable(nn.Module):
    def __init__(self, channels: int = 4) -> None:
        super().__init__()
        self.offset = nn.Conv2d(channels, 2, 3, padding=1)
        self.mix = nn.Conv2d(channels, channels, 1)

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b c h w"]:
        b, _, h, w = x.shape
        ys = torch.linspace(-1, 1, h, device=x.device)
        xs = torch.linspace(-1, 1, w, device=x.device)
        grid = torch.stack(torch.meshgrid(xs, ys, indexing="xy"), dim=-1).expand(b, h, w, 2)
        grid = grid + self.offset(x).permute(0, 2, 3, 1).tanh() * 0.1
        return self.mix(F.grid_sample(x, grid, align_corners=True))


class DeformableGrid(nn.Module):
    """meshgrid with the indexing that gives width first."""

    def __init__(self, channels: int = 4) -> None:
        super().__init__()
        self.mix = nn.Conv2d(channels, channels, 1)

    def forward(self, x: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b channels h w"]:
        b, _, h, w = x.shape
        ys = torch.linspace(-1, 1, h, device=x.device)
        xs = torch.linspace(-1, 1, w, device=x.device)
        grid = torch.stack(torch.meshgrid(xs, ys, indexing="ij"), dim=-1).expand(b, w, h, 2)
        return self.mix(F.grid_sample(x, grid, align_corners=True))  # planted: shape-mismatch


class RoiPool(nn.Module):
    """Which picture each box belongs to, by an index."""

    def __init__(self, channels: int = 8) -> None:
        super().__init__()
        self.fc = nn.Linear(channels, channels)

    def forward(
        self, features: Float[Tensor, "n channels h w"], boxes: Float[Tensor, "k 4"], image: Int[Tensor, "k"]
    ) -> Float[Tensor, "k channels"]:
        pooled = features.mean((2, 3))[image]
        return self.fc(pooled) * boxes.abs().mean(-1, keepdim=True)


class RoiPoolKeepdim(nn.Module):
    def __init__(self, channels: int = 8) -> None:
        super().__init__()
        self.fc = nn.Linear(channels, channels)

    def forward(
        self, features: Float[Tensor, "n channels h w"], boxes: Float[Tensor, "k 4"], image: Int[Tensor, "k"]
    ) -> Float[Tensor, "k channels"]:
        pooled = features.mean((2, 3))[image]
        return self.fc(pooled) * boxes.abs().mean(-1)  # planted: shape-mismatch


class Vae(nn.Module):
    """Random in train mode, and in eval mode its mean."""

    def __init__(self, features: int = 30, latent: int = 4) -> None:
        super().__init__()
        self.encoder = nn.Linear(features, 2 * latent)
        self.decoder = nn.Linear(latent, features)

    def forward(
        self, x: Float[Tensor, "b features"]
    ) -> tuple[Float[Tensor, "b features"], Float[Tensor, "b latent"], Float[Tensor, "b latent"]]:
        mean, logvar = self.encoder(x).chunk(2, dim=-1)
        z = mean + torch.randn_like(mean) * (0.5 * logvar).exp() if self.training else mean
        return self.decoder(z), mean, logvar


class VaeSample(nn.Module):
    """Random in eval mode too: that is what it is for, and no fault."""

    def __init__(self, features: int = 30, latent: int = 4) -> None:
        super().__init__()
        self.encoder = nn.Linear(features, 2 * latent)
        self.decoder = nn.Linear(latent, features)

    def forward(self, x: Float[Tensor, "b features"]) -> Float[Tensor, "b features"]:
        mean, logvar = self.encoder(x).chunk(2, dim=-1)
        return self.decoder(mean + torch.randn_like(mean) * (0.5 * logvar).exp())


class VaeMode(nn.Module):
    """In train mode it gives one row less: as many as pairs."""

    def __init__(self, features: int = 30, latent: int = 4) -> None:
        super().__init__()
        self.encoder = nn.Linear(features, latent)

    def forward(self, x: Float[Tensor, "b features"]) -> Float[Tensor, "_ latent"]:  # planted: mode-dependence
        z = self.encoder(x)
        return z[1:] - z[:-1] if self.training else z


class VaeDetached(nn.Module):
    def __init__(self, features: int = 30, latent: int = 4) -> None:
        super().__init__()
        self.encoder = nn.Linear(features, latent)
        self.decoder = nn.Linear(latent, features)

    def forward(self, x: Float[Tensor, "b features"]) -> Float[Tensor, "b features"]:
        z = self.encoder(x).detach()  # planted: missing-gradient
        return self.decoder(z)


class TimeEmbedding(nn.Module):
    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.dim = dim
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.SiLU(), nn.Linear(4 * dim, dim))

    def forward(self, t: Float[Tensor, "b"]) -> Float[Tensor, "b dim"]:
        half = self.dim // 2
        freqs = torch.exp(-math.log(10000) * torch.arange(half, device=t.device, dtype=torch.float32) / half)
        args = t.float()[:, None] * freqs[None]
        return self.mlp(torch.cat([args.cos(), args.sin()], dim=-1))


class TimeEmbeddingOuter(nn.Module):
    """Without the new axis: works only where the batch is half the width."""

    def __init__(self, dim: int = 16) -> None:
        super().__init__()
        self.dim = dim
        self.fc = nn.Linear(1, dim)

    def forward(self, t: Float[Tensor, "b"]) -> Float[Tensor, "b dim"]:
        freqs = torch.exp(-torch.arange(8, device=t.device) / 8)
        args = t * freqs  # planted: hard-coded-size
        return self.fc(args[:, None])


class Denoiser(nn.Module):
    """A step of diffusion: noise, time and class."""

    def __init__(self, channels: int = 3, width: int = 8, classes: int = 5, steps: int = 50) -> None:
        super().__init__()
        self.time = nn.Embedding(steps, width)
        self.label = nn.Embedding(classes, width)
        self.inner = nn.Conv2d(channels, width, 3, padding=1)
        self.norm = nn.GroupNorm(4, width)
        self.outer = nn.Conv2d(width, channels, 3, padding=1)

    def forward(
        self,
        x: Float[Tensor, "b channels h w"],
        t: Int[Tensor, "b"],
        *,
        y: Int[Tensor, "b"] | None = None,
    ) -> Float[Tensor, "b channels h w"]:
        condition = self.time(t)
        if y is not None:
            condition = condition + self.label(y)
        h = self.norm(self.inner(x)) + condition[:, :, None, None]
        return self.outer(F.silu(h))


class DenoiserCondition(nn.Module):
    """The condition lacks the axes of the picture."""

    def __init__(self, channels: int = 3, width: int = 8, steps: int = 50) -> None:
        super().__init__()
        self.time = nn.Embedding(steps, width)
        self.inner = nn.Conv2d(channels, width, 3, padding=1)
        self.outer = nn.Conv2d(width, channels, 3, padding=1)

    def forward(self, x: Float[Tensor, "b channels h w"], t: Int[Tensor, "b"]) -> Float[Tensor, "b channels h w"]:
        h = self.inner(x) + self.time(t)  # planted: shape-mismatch
        return self.outer(F.silu(h))


class DiceLoss(nn.Module):
    def forward(self, logits: Float[Tensor, "b 1 h w"], mask: Float[Tensor, "b 1 h w"]) -> Float[Tensor, ""]:
        p = logits.sigmoid().flatten(1)
        m = mask.flatten(1)
        return (1 - (2 * (p * m).sum(1) + 1) / (p.sum(1) + m.sum(1) + 1)).mean()


class DiceLossChannel(nn.Module):
    def forward(self, logits: Float[Tensor, "b 1 h w"], mask: Float[Tensor, "b h w"]) -> Float[Tensor, ""]:
        p = logits.sigmoid()
        return F.mse_loss(p, mask)  # planted: loss-broadcast


class Bce(nn.Module):
    """Its targets have to lie between 0 and 1."""

    def forward(self, p: Float[Tensor, "b n"], y: Float[Tensor, "b n"]) -> Float[Tensor, ""]:
        return F.binary_cross_entropy(p, y)


class FocalLoss(nn.Module):
    def __init__(self, gamma: float = 2.0) -> None:
        super().__init__()
        self.gamma = gamma

    def forward(self, logits: Float[Tensor, "n classes"], target: Int[Tensor, "n"]) -> Float[Tensor, ""]:
        ce = F.cross_entropy(logits, target, reduction="none")
        return ((1 - (-ce).exp()) ** self.gamma * ce).mean()


class FocalLossFloat(nn.Module):
    """Says one number, and gives one a row."""

    def __init__(self, gamma: float = 2.0) -> None:
        super().__init__()
        self.gamma = gamma

    def forward(self, logits: Float[Tensor, "n classes"], target: Int[Tensor, "n"]) -> Float[Tensor, ""]:
        ce = F.cross_entropy(logits, target, reduction="none")
        return (1 - (-ce).exp()) ** self.gamma * ce  # planted: shape-mismatch


class Contrastive(nn.Module):
    """Compares all rows of a batch with all: rows hang on one another on purpose, the result is a number."""

    def __init__(self, dim: int = 8) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.dim = dim

    def forward(self, image: Float[Tensor, "b dim"], text: Float[Tensor, "b dim"]) -> Float[Tensor, ""]:
        image, text = F.normalize(image, dim=-1), F.normalize(text, dim=-1)
        logits = self.scale.exp() * image @ text.T
        labels = torch.arange(logits.shape[0], device=logits.device)
        return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2


class SegmentationHead(nn.Module):
    def __init__(self, channels: int = 8, classes: int = 3) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, classes, 1)

    def forward(
        self, x: Float[Tensor, "b channels h w"], valid: Bool[Tensor, "b #h #w"]
    ) -> Float[Tensor, "b classes 2*h 2*w"]:
        y = self.conv(x).masked_fill(~valid[:, None], 0.0)
        return F.interpolate(y, scale_factor=2, mode="bilinear")


class SegmentationHeadDtype(nn.Module):
    """Promises labels, gives scores."""

    def __init__(self, channels: int = 8, classes: int = 3) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, classes, 1)

    def forward(self, x: Float[Tensor, "b channels h w"]) -> Int[Tensor, "b h w"]:
        return self.conv(x).amax(1)  # planted: dtype-mismatch


class PixelShuffler(nn.Module):
    def __init__(self, channels: int = 3, scale: int = 2) -> None:
        super().__init__()
        self.scale = scale
        self.conv = nn.Conv2d(channels, channels * scale**2, 3, padding=1)

    def forward(self, x: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b channels h*{self.scale} w*{self.scale}"]:
        return F.pixel_shuffle(self.conv(x), self.scale)


class SpaceToDepth(nn.Module):
    """Its sizes are multiples of the block: that is learnt."""

    def __init__(self, channels: int = 3, block: int = 2) -> None:
        super().__init__()
        self.block = block
        self.conv = nn.Conv2d(channels * block**2, channels, 1)

    def forward(
        self, x: Float[Tensor, "b channels h w"]
    ) -> Float[Tensor, "b channels h//{self.block} w//{self.block}"]:
        return self.conv(F.pixel_unshuffle(x, self.block))


class SpaceToDepthHard(nn.Module):
    def __init__(self, channels: int = 3) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels * 4, channels, 1)

    def forward(self, x: Float[Tensor, "b channels h w"]) -> Float[Tensor, "b channels h//2 w//2"]:
        y = F.pixel_unshuffle(x, 2)
        return self.conv(y).reshape(-1, 3, 16, 16)  # planted: shape-mismatch


class Corners(nn.Module):
    """The layer asks for four times the channels, which are as many as the rows of the batch that was tried."""

    def __init__(self, channels: int = 3) -> None:
        super().__init__()
        self.conv = nn.Conv2d(4 * channels, 8, 1, bias=False)

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b 8 h//2 w//2"]:
        height, width = x.shape[2] // 2, x.shape[3] // 2
        x = x[:, :, : 2 * height, : 2 * width]
        corners = [x[:, :, row::2, column::2] for column in (0, 1) for row in (0, 1)]
        return self.conv(torch.cat(corners, 1))


class Patches(nn.Module):
    """How many colours it takes follows from the sizes of its layers, and is the size of the batch by chance."""

    def __init__(self, patch: int = 4, features: int = 48) -> None:
        super().__init__()
        self.patch = patch
        self.norm = nn.LayerNorm(features)
        self.head = nn.Linear(features, 7)

    def forward(self, image: Float[Tensor, "b colours h w"]) -> Float[Tensor, "b 7"]:
        patches = F.unfold(image, self.patch, stride=self.patch).mT
        return self.head(self.norm(patches).mean(1))


class PatchesHead(nn.Module):
    def __init__(self, patch: int = 4, features: int = 48) -> None:
        super().__init__()
        self.patch = patch
        self.norm = nn.LayerNorm(features)
        self.head = nn.Linear(2 * features, 7)

    def forward(self, image: Float[Tensor, "b colours h w"]) -> Float[Tensor, "b 7"]:
        patches = self.norm(F.unfold(image, self.patch, stride=self.patch).mT)
        return self.head(patches.mean(1))  # planted: shape-mismatch
