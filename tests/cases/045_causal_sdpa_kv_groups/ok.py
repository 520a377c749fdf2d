import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


def repeat_kv(x: Float[Tensor, "b kv t d"], n: int) -> Float[Tensor, "b heads t d"]:
    b, kv, t, d = x.shape
    return x[:, :, None].expand(b, kv, n, t, d).reshape(b, kv * n, t, d)


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim: int = 64, heads: int = 8, kv_heads: int = 2):
        super().__init__()
        self.heads, self.kv_heads, self.d = heads, kv_heads, dim // heads
        self.wq = nn.Linear(dim, heads * self.d, bias=False)
        self.wk = nn.Linear(dim, kv_heads * self.d, bias=False)
        self.wv = nn.Linear(dim, kv_heads * self.d, bias=False)
        self.wo = nn.Linear(heads * self.d, dim, bias=False)

    def forward(self, x: Float[Tensor, "b t dim"]) -> Float[Tensor, "b t dim"]:
        b, t, _ = x.shape
        q = self.wq(x).view(b, t, self.heads, self.d).transpose(1, 2)
        k = self.wk(x).view(b, t, self.kv_heads, self.d).transpose(1, 2)
        v = self.wv(x).view(b, t, self.kv_heads, self.d).transpose(1, 2)
        n = self.heads // self.kv_heads
        k, v = repeat_kv(k, n), repeat_kv(v, n)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.wo(out.transpose(1, 2).reshape(b, t, -1))


def main() -> None:
    print(GroupedQueryAttention()(torch.randn(2, 12, 64)).shape)


if __name__ == "__main__":
    main()
