from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class TextConfig:
    vocab: int = 50
    width: int = 24
    layers: int = 1
    heads: int = 4
    context: int = 12


@dataclass
class VisionConfig:
    size: int = 16
    patch: int = 4
    width: int = 32
    layers: int = 1
    heads: int = 4


class Transformer(nn.Module):
    def __init__(self, width, layers, heads):
        super().__init__()
        make = lambda: nn.TransformerEncoderLayer(width, heads, 4 * width, batch_first=True, activation="gelu")
        self.blocks = nn.Sequential(*(make() for _ in range(layers)))

    def forward(self, x):
        return self.blocks(x)


class CLIP(nn.Module):
    def __init__(self, text: TextConfig, vision: VisionConfig, dim: int = 20):
        super().__init__()
        self.tok = nn.Embedding(text.vocab, text.width)
        self.tpos = nn.Parameter(torch.zeros(text.context, text.width))
        self.text = Transformer(text.width, text.layers, text.heads)
        self.patch = nn.Conv2d(3, vision.width, vision.patch, vision.patch)
        n = (vision.size // vision.patch) ** 2
        self.vpos = nn.Parameter(torch.zeros(n, vision.width))
        self.visual = Transformer(vision.width, vision.layers, vision.heads)
        self.text_proj = nn.Parameter(torch.randn(text.width, dim) * text.width ** -0.5)
        self.visual_proj = nn.Parameter(torch.randn(dim, vision.width) * vision.width ** -0.5)
        self.scale = nn.Parameter(torch.ones([]) * 2.66)

    def encode_text(self, ids):
        x = self.text(self.tok(ids) + self.tpos)
        return x[torch.arange(x.shape[0]), ids.argmax(dim=-1)] @ self.text_proj

    def encode_image(self, img):
        x = self.patch(img).flatten(2).mT + self.vpos
        return self.visual(x).mean(1) @ self.visual_proj

    def forward(self, img, ids):
        i, t = F.normalize(self.encode_image(img), dim=-1), F.normalize(self.encode_text(ids), dim=-1)
        logits = self.scale.exp() * i @ t.t()
        return logits, logits.t()


def clip_loss(li, lt):
    labels = torch.arange(li.shape[0], device=li.device)
    return (F.cross_entropy(li, labels) + F.cross_entropy(lt, labels)) / 2


if __name__ == "__main__":
    text, vision = TextConfig(), VisionConfig()
    print(asdict(text), asdict(vision))
    model = CLIP(text, vision)
    print(clip_loss(*model(torch.rand(5, 3, 16, 16), torch.randint(0, 50, (5, 12)))).item())
