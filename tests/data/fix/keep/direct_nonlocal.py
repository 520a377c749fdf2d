import torch
from torch import nn


def outer(other):
    model = nn.Linear(4, 2)

    def swap():
        nonlocal model
        model = other

    swap()
    return model.forward(torch.zeros(1, 4))  # finding: note
