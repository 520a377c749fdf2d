import torch
from torch import nn

model = nn.DataParallel(nn.Linear(4, 2))
with torch.no_grad():
    y = model.forward(torch.zeros(3, 4))
