import torch
from torch import nn


def partition(x, size):
    b, h, w, c = x.shape
    x = x.view(b, h // size, size, w // size, size, c)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, size * size, c)


def unpartition(windows, size, h, w):
    b = windows.shape[0] * size * size // (h * w)
    x = windows.view(b, h // size, w // size, size, size, -1)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, -1)


def shift_mask(h, w, size, shift):
    region = torch.zeros(1, h, w, 1)
    count = 0
    for rows in (slice(0, -size), slice(-size, -shift), slice(-shift, None)):
        for cols in (slice(0, -size), slice(-size, -shift), slice(-shift, None)):
            region[:, rows, cols] = count
            count += 1
    flat = partition(region, size).squeeze(-1)
    return (flat[:, None] != flat[:, :, None]).float() * -100.0


class WindowAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        n, t, c = x.shape
        q, k, v = self.qkv(x).view(n, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        attn = q @ k.mT * (c // self.heads) ** -0.5
        if mask is not None:
            windows = mask.shape[0]
            attn = attn.view(-1, windows, self.heads, t, t) + mask[None, :, None]
            attn = attn.view(n, self.heads, t, t)
        return self.out((attn.softmax(-1) @ v).transpose(1, 2).reshape(n, t, c))


class SwinBlock(nn.Module):
    def __init__(self, dim, heads, size, shift, resolution):
        super().__init__()
        self.size, self.shift = size, shift
        self.norm = nn.LayerNorm(dim)
        self.attn = WindowAttention(dim, heads)
        if shift:
            self.register_buffer("mask", shift_mask(*resolution, size, shift))
        self.resolution = resolution

    def forward(self, x):
        h, w = x.shape[1:3]
        mask = None
        y = self.norm(x)
        if self.shift:
            y = y.roll((-self.shift, -self.shift), dims=(1, 2))
            mask = self.mask if (h, w) == self.resolution else shift_mask(h, w, self.size, self.shift)
        y = unpartition(self.attn(partition(y, self.size), mask), self.size, h, w)
        if self.shift:
            y = y.roll((self.shift, self.shift), dims=(1, 2))
        return x + y


class SwinStage(nn.Module):
    def __init__(self, dim=16, heads=2, size=4, image=64, patch=4):
        super().__init__()
        self.embed = nn.Conv2d(3, dim, patch, patch)
        grid = (image // patch, image // patch)
        self.blocks = nn.Sequential(*[SwinBlock(dim, heads, size, (i % 2) * size // 2, grid) for i in range(2)])

    def forward(self, images):
        return self.blocks(self.embed(images).permute(0, 2, 3, 1))


def main():
    model = SwinStage()
    print(model(torch.rand(2, 3, 48, 48)).shape)


if __name__ == "__main__":
    main()
