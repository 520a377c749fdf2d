import torch
from torch import nn

model = nn.Linear(4, 2)
HELP = "model.forward(x)"
DOC = f"call model.forward(x), not {torch.__name__}"
# model.forward(x)
