"""A formula of attention that differs from the kernel."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, dim: int = 16, heads: int = 4) -> None:
        super().__init__()
        self.heads, self.fused_attn = heads, True
        self.bias = nn.Parameter(torch.randn(heads, 1, 1))
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x: Float[Tensor, "b t 16"]) -> Float[Tensor, "b t 16"]:
        q, k, v = (one.unflatten(-1, (self.heads, -1)).transpose(1, 2) for one in self.qkv(x).chunk(3, -1))
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).triu(1)
        slopes = self.bias * torch.arange(x.shape[1], device=x.device)
        if self.fused_attn:
            mask = slopes.masked_fill(future, float("-inf"))
            # mutant kernel_without_mask: mask = slopes
            # mutant kernel_without_slopes: mask = (0 * slopes).masked_fill(future, float("-inf"))
            # mutant direction_of_the_mask: mask = slopes.masked_fill(future.mT, float("-inf"))
            y = F.scaled_dot_product_attention(q, k, v, mask)
            # mutant kernel_scaled_twice: y = F.scaled_dot_product_attention(q / q.shape[-1] ** 0.5, k, v, mask)
            # mutant keys_as_values: y = F.scaled_dot_product_attention(q, k, k, mask)
        else:
            scores = q @ k.mT / q.shape[-1] ** 0.5
            # mutant no_transpose: scores = q @ k / q.shape[-1] ** 0.5
            # mutant no_scale: scores = q @ k.mT
            # mutant scale_of_all_heads: scores = q @ k.mT / (self.heads * q.shape[-1]) ** 0.5
            scores = (scores + slopes).masked_fill(future, float("-inf"))
            # mutant formula_without_mask: scores = scores + slopes
            # mutant sign_of_the_slopes: scores = (scores - slopes).masked_fill(future, float("-inf"))
            # mutant mask_by_zero: scores = (scores + slopes).masked_fill(future, 0)
            weights = scores.softmax(-1)
            # mutant softmax_over_queries: weights = scores.masked_fill(future, -1e4).softmax(-2)
            y = weights @ v
            # mutant detached_values: y = weights.detach() @ v
            # mutant values_of_other_heads: y = weights @ v.flip(1)
        return self.out(y.transpose(1, 2).flatten(2))
