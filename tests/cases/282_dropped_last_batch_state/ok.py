import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class StatefulGRU(nn.Module):
    def __init__(self, batch_size, n_in=3, hidden=8):
        super().__init__()
        self.gru = nn.GRU(n_in, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)
        self.hidden = hidden
        self.register_buffer("state", torch.zeros(1, batch_size, hidden))

    def forward(self, x):
        state = self.state if x.size(0) == self.state.size(1) else x.new_zeros(1, x.size(0), self.hidden)
        out, h = self.gru(x, state)
        if h.shape == self.state.shape:
            self.state = h.detach()
        return self.fc(out[:, -1]).squeeze(-1)


def run(batch_size=16):
    data = TensorDataset(torch.randn(50, 10, 3), torch.randn(50))
    model = StatefulGRU(batch_size)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    history = []
    for epoch in range(2):
        total = 0.0
        for x, y in DataLoader(data, batch_size=batch_size):
            loss = nn.functional.mse_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        history.append(total / len(data))
    return history


if __name__ == "__main__":
    print(run())
