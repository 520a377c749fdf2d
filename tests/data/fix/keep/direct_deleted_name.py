import torch
from torch import nn

for model in (nn.Linear(1, 1), object()):
    print(model)
with open(__file__) as model:
    pass


def run():
    return model.forward(torch.zeros(1))  # finding: note
