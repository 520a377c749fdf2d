import torch
from torch import nn

model = nn.Linear(4, 2)
y = model(torch.zeros(3, 4))
