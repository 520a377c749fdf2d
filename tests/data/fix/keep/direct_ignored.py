import torch
from torch import nn

model = nn.Linear(4, 2)
y = model.forward(torch.zeros(3, 4))  # shapecheck: ignore[direct-forward]
z = model.forward(torch.zeros(3, 4))  # shapecheck: ignore


def run(net):
    return net.forward(y)  # shapecheck: ignore[direct-forward]
