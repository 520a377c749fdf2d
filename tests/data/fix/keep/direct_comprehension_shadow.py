import torch
from torch import nn

model = nn.Linear(1, 1)


def run(models):
    return [model.forward(torch.zeros(1)) for model in models]  # finding: note
