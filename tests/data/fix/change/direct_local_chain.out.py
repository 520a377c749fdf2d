import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


def run(device: str):
    net = Net().to(device).eval()
    return net(torch.zeros(3, 4))


def train():
    net = Net()
    net = net.cuda() if torch.cuda.is_available() else net.cpu()
    net = net.train().requires_grad_(True).float()
    return net(torch.zeros(3, 4))
