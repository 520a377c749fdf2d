from typing import Sequence

import torch
from torch import nn


class UniformSampler:
    def __init__(self, step):
        self.step = step

    def __call__(self, video):
        return video[:, :: self.step]


class FrameEncoder(nn.Module):
    def __init__(self, widths: Sequence[int] = (8, 16)):
        super().__init__()
        layers, c = [], 3
        for w in widths:
            layers += [nn.Conv2d(c, w, 3, 2, 1), nn.BatchNorm2d(w), nn.ReLU()]
            c = w
        self.net = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.out = c

    def forward(self, frames):
        return self.net(frames)


class TemporalShift(nn.Module):
    """Moves a part of the channels one frame forward and one back."""

    def __init__(self, share=4):
        super().__init__()
        self.share = share

    def forward(self, x):
        fold = x.shape[-1] // self.share
        out = torch.zeros_like(x)
        out[:, :-1, :fold] = x[:, 1:, :fold]
        out[:, 1:, fold : 2 * fold] = x[:, :-1, fold : 2 * fold]
        out[..., 2 * fold :] = x[..., 2 * fold :]
        return out


class VideoModel(nn.Module):
    def __init__(self, classes=6, step=2):
        super().__init__()
        self.sampler = UniformSampler(step)
        self.encoder = FrameEncoder()
        self.shift = TemporalShift()
        self.rnn = nn.GRU(self.encoder.out, 24, batch_first=True)
        self.head = nn.Linear(24, classes)

    def features(self, video):
        frames = video.shape[1]
        clip = self.sampler(video)
        flat = self.encoder(clip.flatten(0, 1))
        return self.shift(flat.view(video.shape[0], frames, -1))

    def forward(self, video):
        y, _ = self.rnn(self.features(video))
        return self.head(y.mean(dim=1))


class Clips(torch.utils.data.Dataset):
    def __init__(self, count=6, frames=15):
        self.count, self.frames = count, frames

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(index)
        return torch.rand(self.frames, 3, 20, 20, generator=g), index % 6


def main():
    model = VideoModel()
    for video, label in torch.utils.data.DataLoader(Clips(), batch_size=2):
        print(nn.functional.cross_entropy(model(video), label).item())


if __name__ == "__main__":
    main()
