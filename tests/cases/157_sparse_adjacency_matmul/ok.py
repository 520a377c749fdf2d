import torch
from jaxtyping import Float
from torch import Tensor, nn


def normalize_adjacency(adj: Float[Tensor, "n n"]) -> Float[Tensor, "n n"]:
    adj = adj + torch.eye(adj.shape[0])
    d = adj.sum(dim=1).rsqrt()
    return d[:, None] * adj * d


class GraphConv(nn.Module):
    def __init__(self, cin: int, cout: int):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(cin, cout))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x: Float[Tensor, "n cin"], adj: Float[Tensor, "n n"]) -> Float[Tensor, "n cout"]:
        return adj @ (x @ self.weight)


class GCN(nn.Module):
    def __init__(self, widths: list[int], residual: bool = False):
        super().__init__()
        self.layers = nn.ModuleList(GraphConv(a, b) for a, b in zip(widths, widths[1:]))
        self.residual = residual

    def forward(self, x: Float[Tensor, "n features"], adj: Float[Tensor, "n n"]) -> Float[Tensor, "n classes"]:
        for i, layer in enumerate(self.layers):
            y = layer(x, adj)
            if self.residual and y.shape == x.shape:
                y = y + x
            x = torch.relu(y) if i + 1 < len(self.layers) else y
        return x


def main() -> None:
    adj = torch.triu((torch.rand(18, 18) < 0.2).float(), diagonal=1)
    adj = normalize_adjacency(adj + adj.T)
    print(GCN([30, 16, 16, 4], residual=True)(torch.randn(18, 30), adj).argmax(dim=1))


if __name__ == "__main__":
    main()
