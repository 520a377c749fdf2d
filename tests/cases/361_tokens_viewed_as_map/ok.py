import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, width: int = 48, patch: int = 8):
        super().__init__()
        self.patch = patch
        self.embed = nn.Conv2d(3, width, patch, stride=patch)
        self.mix = nn.Linear(width, width)

    def forward(self, image):
        tokens = self.embed(image).flatten(2).transpose(1, 2)
        return tokens + self.mix(tokens)


class Decoder(nn.Module):
    def __init__(self, width: int, classes: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, tokens, height: int, width: int):
        tokens = self.norm(tokens)
        b, n, c = tokens.shape
        grid = tokens.transpose(1, 2).reshape(b, c, height, width)
        return self.head(grid)


class Segmenter(nn.Module):
    def __init__(self, classes: int = 5, width: int = 48):
        super().__init__()
        self.backbone = Backbone(width)
        self.decoder = Decoder(width, classes)

    def forward(self, image):
        step = self.backbone.patch
        tokens = self.backbone(image)
        return self.decoder(tokens, image.shape[-2] // step, image.shape[-1] // step)


def main():
    image = torch.randn(2, 3, 32, 64)
    print(Segmenter()(image).shape)


if __name__ == "__main__":
    main()
