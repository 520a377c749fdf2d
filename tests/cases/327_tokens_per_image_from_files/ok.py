import abc
import functools

import torch
from torch import nn


class VisionConfig:
    def __init__(self, image_size=32, patch_size=8, hidden_size=48, **unused):
        self.image_size, self.patch_size, self.hidden_size = image_size, patch_size, hidden_size


class TextConfig:
    def __init__(self, vocab_size=80, hidden_size=32, heads=4, layers=2, cross_attention=False):
        self.vocab_size, self.hidden_size, self.heads = vocab_size, hidden_size, heads
        self.layers, self.cross_attention = layers, cross_attention


class PreTrained(nn.Module, abc.ABC):
    def __init__(self, config):
        super().__init__()
        self.config = config

    @functools.cached_property
    def device(self):
        return next(self.parameters()).device

    @abc.abstractmethod
    def features(self, *args, **kwargs): ...


class VisionTower(PreTrained):
    def __init__(self, config):
        super().__init__(config)
        self.patch = nn.Conv2d(3, config.hidden_size, config.patch_size, config.patch_size)
        count = (config.image_size // config.patch_size) ** 2
        self.position = nn.Parameter(torch.zeros(1, count, config.hidden_size))

    def features(self, pixels):
        return self.patch(pixels).flatten(2).transpose(1, 2) + self.position


class DecoderLayer(nn.Module):
    def __init__(self, config, context_dim=None):
        super().__init__()
        d = config.hidden_size
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.self_attn = nn.MultiheadAttention(d, config.heads, batch_first=True)
        self.cross = None
        if config.cross_attention:
            self.cross = nn.MultiheadAttention(
                d, config.heads, batch_first=True, kdim=context_dim, vdim=context_dim
            )

    def forward(self, x, context=None):
        y = self.norm1(x)
        x = x + self.self_attn(y, y, y, need_weights=False)[0]
        if self.cross is not None and context is not None:
            x = x + self.cross(self.norm2(x), context, context, need_weights=False)[0]
        return x


class TextDecoder(PreTrained):
    def __init__(self, config, context_dim=None):
        super().__init__(config)
        self.embed = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList([DecoderLayer(config, context_dim) for _ in range(config.layers)])
        self.head = nn.Linear(config.hidden_size, config.vocab_size)

    def features(self, ids, context=None):
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x, context)
        return self.head(x)


class Captioner(nn.Module):
    def __init__(self, vision=None, text=None):
        super().__init__()
        vision = vision or VisionConfig()
        text = text or TextConfig(cross_attention=True)
        self.vision = VisionTower(vision)
        self.text = TextDecoder(text, vision.hidden_size)

    def forward(self, pixels, ids):
        return self.text.features(ids, self.vision.features(pixels))


if __name__ == "__main__":
    model = Captioner()
    print(model(torch.rand(2, 3, 32, 32), torch.randint(0, 80, (2, 6))).shape)
