import torch
from torch import nn


def window_partition(x, ws):
    B, H, W, C = x.shape
    x = x.view(B, H // ws, ws, W // ws, ws, C)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, ws, ws, C)


def window_reverse(windows, ws, H, W):
    B = int(windows.shape[0] / (H * W / ws / ws))
    x = windows.view(B, H // ws, W // ws, ws, ws, -1)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(B, H, W, -1)


class WindowAttention(nn.Module):
    def __init__(self, dim, heads, ws):
        super().__init__()
        self.heads = heads
        self.bias_table = nn.Parameter(torch.zeros((2 * ws - 1) * (2 * ws - 1), heads))
        coords = torch.stack(torch.meshgrid(torch.arange(ws), torch.arange(ws), indexing="ij")).flatten(1)
        rel = (coords[:, :, None] - coords[:, None, :]).permute(1, 2, 0).contiguous() + ws - 1
        self.register_buffer("index", rel[..., 0] * (2 * ws - 1) + rel[..., 1], persistent=False)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        B_, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B_, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        attn = (q * (C // self.heads) ** -0.5) @ k.transpose(-2, -1)
        bias = self.bias_table[self.index.view(-1)].view(N, N, -1)
        bias = bias.permute(2, 0, 1)
        attn = attn + bias
        return self.proj((attn.softmax(-1) @ v).transpose(1, 2).reshape(B_, N, C))


class SwinBlock(nn.Module):
    def __init__(self, dim, resolution, heads=2, ws=4, shift=0):
        super().__init__()
        self.H, self.W = resolution
        self.ws, self.shift = ws, shift
        self.norm = nn.LayerNorm(dim)
        self.attn = WindowAttention(dim, heads, ws)

    def forward(self, x):
        B, L, C = x.shape
        assert L == self.H * self.W, "input feature has wrong size"
        y = self.norm(x).view(B, self.H, self.W, C)
        if self.shift > 0:
            y = torch.roll(y, shifts=(-self.shift, -self.shift), dims=(1, 2))
        win = window_partition(y, self.ws).view(-1, self.ws * self.ws, C)
        win = self.attn(win).view(-1, self.ws, self.ws, C)
        y = window_reverse(win, self.ws, self.H, self.W)
        if self.shift > 0:
            y = torch.roll(y, shifts=(self.shift, self.shift), dims=(1, 2))
        return x + y.view(B, L, C)


if __name__ == "__main__":
    blocks = nn.Sequential(*(SwinBlock(16, (8, 12), shift=0 if i % 2 == 0 else 2) for i in range(2)))
    print(blocks(torch.randn(2, 96, 16)).shape)
