import torch
from torch import nn


class ConvLSTMCell(nn.Module):
    def __init__(self, in_ch, hid_ch, kernel=3):
        super().__init__()
        self.hid = hid_ch
        self.gates = nn.Conv2d(in_ch + hid_ch, 4 * hid_ch, kernel, padding=kernel // 2)

    def zero_state(self, x):
        b, _, h, w = x.shape
        z = x.new_zeros(b, self.hid, h, w)
        return z, z.clone()

    def forward(self, x, state=None):
        h, c = self.zero_state(x) if state is None else state
        i, f, o, g = self.gates(torch.cat([x, h], dim=1)).chunk(4, dim=1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        return h, (h, c)


class Nowcaster(nn.Module):
    def __init__(self, in_ch=1, hidden=(8, 12)):
        super().__init__()
        self.cells = nn.ModuleList()
        for i, h in enumerate(hidden):
            self.cells.append(ConvLSTMCell(in_ch, h))
        self.out = nn.Conv2d(hidden[-1], 1, 1)

    def forward(self, frames):
        states = [None] * len(self.cells)
        for t in range(frames.size(1)):
            x = frames[:, t]
            for k, cell in enumerate(self.cells):
                x, states[k] = cell(x, states[k])
        return self.out(x)


if __name__ == "__main__":
    frames = torch.rand(2, 4, 1, 16, 16)
    print(Nowcaster()(frames).shape)
