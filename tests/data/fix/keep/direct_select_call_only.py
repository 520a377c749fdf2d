# options: --select untyped-call
import torch
from torch import nn

model = nn.Linear(4, 2)
y = model.forward(torch.zeros(3, 4))
