import torch
from torch import nn

net = nn.Linear(4, 2)
apply = lambda net: net.forward(torch.zeros(1, 4))  # noqa: E731  # finding: note
