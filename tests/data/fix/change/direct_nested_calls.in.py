import torch
from torch import nn

first = nn.Linear(4, 4)
second = nn.Linear(4, 2)
y = second.forward(first.forward(first.forward(torch.zeros(1, 4))))
