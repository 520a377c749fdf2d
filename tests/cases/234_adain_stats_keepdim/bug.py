import torch
import torch.nn as nn


def calc_mean_std(feat, eps=1e-5):
    n, c = feat.size()[:2]
    var = feat.view(n, c, -1).var(dim=2) + eps
    std = var.sqrt().view(n, c, 1)
    mean = feat.view(n, c, -1).mean(dim=2).view(n, c, 1, 1)
    return mean, std


def adain(content, style):
    assert content.size()[:2] == style.size()[:2]
    size = content.size()
    s_mean, s_std = calc_mean_std(style)
    c_mean, c_std = calc_mean_std(content)
    normalized = (content - c_mean.expand(size)) / c_std.expand(size)
    return normalized * s_std.expand(size) + s_mean.expand(size)


def gram(x):
    b, c, h, w = x.shape
    f = x.view(b, c, h * w)
    return f @ f.transpose(1, 2) / (c * h * w)


class StyleNet(nn.Module):
    def __init__(self, vgg_cfg=(16, "M", 32)):
        super().__init__()
        layers, c = [], 3
        for v in vgg_cfg:
            if v == "M":
                layers.append(nn.MaxPool2d(2, 2))
                continue
            layers += [nn.ReflectionPad2d(1), nn.Conv2d(c, v, 3), nn.ReLU(inplace=True)]
            c = v
        self.enc = nn.Sequential(*layers).requires_grad_(False)
        self.dec = nn.Sequential(nn.Conv2d(c, 16, 3, padding=1), nn.ReLU(), nn.Upsample(scale_factor=2), nn.Conv2d(16, 3, 3, padding=1))

    def forward(self, content, style, alpha=1.0):
        c, s = self.enc(content), self.enc(style)
        t = alpha * adain(c, s) + (1 - alpha) * c
        out = self.dec(t)
        g = self.enc(out)
        return nn.functional.mse_loss(g, t) + nn.functional.mse_loss(gram(g), gram(s))


if __name__ == "__main__":
    print(StyleNet()(torch.rand(2, 3, 32, 32), torch.rand(2, 3, 48, 48)).item())
