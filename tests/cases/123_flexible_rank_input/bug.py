import torch
from torch import nn


def as_batch(img):
    if img.dim() == 2:
        return img[None, None].expand(1, 3, -1, -1)
    if img.dim() == 3:
        return img.unsqueeze(1)
    assert img.dim() == 4, f"expected an image or a batch, got {tuple(img.shape)}"
    return img


class Thumbnailer(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding="same", padding_mode="reflect")
        self.fc = nn.Linear(width, 2)

    def forward(self, img):
        single = img.dim() < 4
        x = self.conv(as_batch(img))
        out = self.fc(x.mean(dim=[2, 3]))
        if single:
            return out[0]
        return out


def main():
    net = Thumbnailer()
    for img in (torch.rand(20, 20), torch.rand(4, 3, 20, 20), torch.rand(3, 20, 20)):
        print(tuple(net(img).shape))


if __name__ == "__main__":
    main()
