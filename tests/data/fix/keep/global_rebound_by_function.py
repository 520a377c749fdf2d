import torch
from torch import nn

model = nn.Linear(4, 2)


def swap(other):
    global model
    model = other


def run():
    return model.forward(torch.zeros(1, 4))  # finding: note
