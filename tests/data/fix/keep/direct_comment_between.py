import torch
from torch import nn

model = nn.Linear(4, 2)
y = (
    model  # finding: note
    # the hooks must not run here
    .forward(torch.zeros(3, 4))
)
