import io
import math
import struct
import wave

import torch
from torch import nn


def write_wave(seconds=0.2, rate=8000, channels=2):
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as out:
        out.setnchannels(channels)
        out.setsampwidth(2)
        out.setframerate(rate)
        for i in range(int(seconds * rate)):
            value = int(20000 * math.sin(2 * math.pi * 440 * i / rate))
            out.writeframes(struct.pack("<" + "h" * channels, *([value] * channels)))
    buffer.seek(0)
    return buffer


def read_wave(file):
    with wave.open(file) as source:
        raw = source.readframes(source.getnframes())
        data = torch.frombuffer(bytearray(raw), dtype=torch.int16)
        return data.view(-1, source.getnchannels()).t().float() / 32768, source.getframerate()


class ToMono:
    def __call__(self, samples):
        return samples.mean(dim=-1)


class Trim:
    def __init__(self, length):
        self.length = length

    def __call__(self, samples):
        return samples[..., : self.length]


class Normalize:
    def __call__(self, samples):
        return samples / samples.abs().amax().clamp(min=1e-4)


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, value):
        for step in self.steps:
            value = step(value)
        return value


class WaveDataset(torch.utils.data.Dataset):
    def __init__(self, files, transform):
        self.files, self.transform = files, transform

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        samples, _ = read_wave(self.files[index])
        return self.transform(samples)


class Frames(nn.Module):
    def __init__(self, size=200, hop=80, dim=16):
        super().__init__()
        self.size, self.hop = size, hop
        self.project = nn.Linear(size, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)

    def forward(self, samples):
        frames = samples.unfold(-1, self.size, self.hop)
        return self.rnn(self.project(frames))[0][:, -1]


def main():
    data = WaveDataset([write_wave() for _ in range(3)], Compose(ToMono(), Trim(1200), Normalize()))
    items = [data[i] for i in range(len(data))]
    print(Frames()(torch.stack(items)).shape)


if __name__ == "__main__":
    main()
