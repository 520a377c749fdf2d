import torch
import torch.nn.functional as F
from torch import nn


def double_conv(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(c_out),
        nn.ReLU(inplace=True),
        nn.Conv2d(c_out, c_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(c_out),
        nn.ReLU(inplace=True),
    )


class Down(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.pool = nn.MaxPool2d(2)
        self.conv = double_conv(c_in, c_out)

    def forward(self, x):
        return self.conv(self.pool(x))


class Up(nn.Module):
    def __init__(self, c_in, c_skip, c_out):
        super().__init__()
        self.up = nn.ConvTranspose2d(c_in, c_in // 2, 2, stride=2)
        self.conv = double_conv(c_in // 2 + c_skip, c_out)

    def forward(self, x, skip):
        x = self.up(x)
        dh, dw = skip.shape[-2] - x.shape[-2], skip.shape[-1] - x.shape[-1]
        x = F.pad(x, [dw // 2, dw - dw // 2, dh // 2, dh - dh // 2])
        return self.conv(torch.cat([skip, x], dim=1))


class UNet(nn.Module):
    def __init__(self, channels=1, classes=2, widths=(8, 16, 32)):
        super().__init__()
        self.stem = double_conv(channels, widths[0])
        self.downs = nn.ModuleList([Down(a, b) for a, b in zip(widths[:-1], widths[1:])])
        ups = []
        for deep, shallow in zip(widths[:0:-1], widths[-2::-1]):
            ups.append(Up(deep, shallow, shallow))
        self.ups = nn.ModuleList(ups)
        self.head = nn.Conv2d(widths[0], classes, 1)

    def forward(self, x):
        skips = [self.stem(x)]
        for down in self.downs:
            skips.append(down(skips[-1]))
        x = skips.pop()
        for up in self.ups:
            x = up(x, skips.pop())
        return self.head(x)


def load_slices(n=2, height=101, width=96):
    images = torch.rand(n, 1, height, width)
    masks = (images[:, 0] > 0.7).long()
    return images, masks


def main():
    images, masks = load_slices()
    model = UNet()
    loss = F.cross_entropy(model(images), masks)
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
