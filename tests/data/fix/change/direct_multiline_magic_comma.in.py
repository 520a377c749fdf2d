import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
x = torch.zeros(3, 1, 8)
out, weights = attention.forward(
    x,
    x,
    x,
    need_weights=True,
)
