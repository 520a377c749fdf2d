import torch
from torch import nn

model = nn.Linear(4, 2)
a = model . forward (torch.zeros(3, 4))
b = model.forward(model.weight) ; c = "model.forward(x)"
d = f"{model.forward(torch.zeros(1, 4))}"
