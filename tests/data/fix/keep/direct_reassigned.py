import torch
from torch import nn

model = nn.Linear(4, 2)
if torch.cuda.is_available():
    model = object()
y = model.forward(torch.zeros(3, 4))  # finding: note
