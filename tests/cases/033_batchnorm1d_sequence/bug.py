import torch
from torch import nn


class GestureNet(nn.Module):
    def __init__(self, joints=21, hidden=64, classes=9):
        super().__init__()
        self.embed = nn.Linear(joints * 3, hidden)
        self.bn = nn.BatchNorm1d(hidden)
        self.rnn = nn.LSTM(hidden, hidden, num_layers=2, batch_first=True, dropout=0.1)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, poses):
        b, t = poses.shape[:2]
        x = self.embed(poses.reshape(b, t, -1))
        x = self.bn(x)
        out, (h, _) = self.rnn(torch.relu(x))
        return self.fc(h[-1])


def main():
    net = GestureNet()
    poses = torch.randn(6, 20, 21, 3)
    labels = torch.randint(0, 9, (6,))
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(2):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(poses), labels)
        loss.backward()
        opt.step()
    print(f"loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
