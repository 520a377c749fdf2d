import torch
from torch import nn

model = nn.Linear(4, 2)


def run(model):
    return model.forward(torch.zeros(1, 4))  # finding: note
