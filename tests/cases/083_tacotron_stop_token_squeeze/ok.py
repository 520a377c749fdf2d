import torch
from torch import nn


class LocationAttention(nn.Module):
    def __init__(self, rnn=32, memory=24, dim=16):
        super().__init__()
        self.query = nn.Linear(rnn, dim, bias=False)
        self.memory = nn.Linear(memory, dim, bias=False)
        self.v = nn.Linear(dim, 1, bias=False)

    def forward(self, state, memory):
        energy = self.v(torch.tanh(self.query(state).unsqueeze(1) + self.memory(memory)))
        weights = torch.softmax(energy.squeeze(-1), dim=1)
        return torch.bmm(weights.unsqueeze(1), memory).squeeze(1)


class Decoder(nn.Module):
    def __init__(self, mel=20, memory=24, rnn=32):
        super().__init__()
        self.mel, self.rnn = mel, rnn
        self.cell = nn.LSTMCell(mel + memory, rnn)
        self.attention = LocationAttention(rnn, memory)
        self.out = nn.Linear(rnn + memory, mel)

    def forward(self, memory, steps):
        b = memory.size(0)
        frame = memory.new_zeros(b, self.mel)
        h, c = memory.new_zeros(b, self.rnn), memory.new_zeros(b, self.rnn)
        frames = []
        for _ in range(steps):
            context = self.attention(h, memory)
            h, c = self.cell(torch.cat([frame, context], dim=-1), (h, c))
            frame = self.out(torch.cat([h, context], dim=-1))
            frames.append(frame)
        return torch.stack(frames, dim=2)


def main():
    print(Decoder()(torch.randn(1, 14, 24), steps=5).shape)


if __name__ == "__main__":
    main()
