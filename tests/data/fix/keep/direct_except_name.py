import torch
from torch import nn

net = nn.Linear(1, 1)


def run():
    try:
        net = nn.Linear(1, 1)
    except ValueError as net:
        pass
    return net.forward(torch.zeros(1, 1))  # finding: note
