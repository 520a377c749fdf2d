import torch
from torch import nn

attention = nn.MultiheadAttention(8, 2)
query_tokens = memory = torch.zeros(3, 1, 8)
result, attention_weights = attention.forward(
    query_tokens, memory, memory, need_weights=True
)
