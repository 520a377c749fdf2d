import torch
from torch import nn

model = nn.Linear(4, 2)
a = model (torch.zeros(3, 4))
b = model(model.weight) ; c = "model.forward(x)"
d = f"{model(torch.zeros(1, 4))}"
