import torch
import torch.nn as nn


class PatchMerging(nn.Module):
    def __init__(self, dim, norm_layer=nn.LayerNorm):
        super().__init__()
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(4 * dim)

    def forward(self, x):
        b, h, w, c = x.shape
        x = torch.cat([x[:, i::2, j::2] for j in (0, 1) for i in (0, 1)], dim=-1)
        return self.reduction(self.norm(x.view(b, -1, 4 * c))).view(b, h // 2, w // 2, -1)


class Mixer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dw = nn.Conv2d(dim, dim, 3, padding=1, groups=dim)
        self.pw = nn.Linear(dim, dim)

    def forward(self, x):
        b, h, w, c = x.shape
        y = self.dw(x.permute(0, 3, 1, 2))
        y = y.permute(0, 2, 3, 1).contiguous().transpose(1, 2).view(b, h * w, c)
        return x + self.pw(y).view(b, h, w, c)


class Net(nn.Module):
    def __init__(self, dim=8, stages=2, classes=5):
        super().__init__()
        self.embed = nn.Conv2d(3, dim, 4, 4)
        self.stages = nn.ModuleList()
        for i in range(stages):
            d = dim * 2 ** i
            self.stages.append(nn.Sequential(Mixer(d), PatchMerging(d) if i < stages - 1 else nn.Identity()))
        self.head = nn.Linear(d, classes)

    def forward(self, img):
        x = self.embed(img).permute(0, 2, 3, 1)
        for stage in self.stages:
            x = stage(x)
        return self.head(x.mean(dim=(1, 2)))


if __name__ == "__main__":
    print(Net()(torch.rand(2, 3, 32, 48)).shape)
