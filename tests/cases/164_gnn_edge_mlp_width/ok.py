import torch
from torch import nn


def scatter_add(src, index, dim_size):
    out = src.new_zeros(dim_size, src.size(-1))
    return out.index_add_(0, index, src)


def degree(index, n):
    return torch.zeros(n).scatter_add_(0, index, torch.ones(index.size(0)))


class EdgeConv(nn.Module):
    def __init__(self, node_dim, edge_dim, out_dim):
        super().__init__()
        self.mlp = nn.Sequential(
            nn.Linear(2 * node_dim + edge_dim, out_dim),
            nn.ReLU(),
            nn.Linear(out_dim, out_dim),
        )

    def message(self, x_i, x_j, e):
        return self.mlp(torch.cat([x_i, x_j - x_i, e], dim=-1))

    def forward(self, x, edge_index, edge_attr):
        src, dst = edge_index
        m = self.message(x[dst], x[src], edge_attr)
        agg = scatter_add(m, dst, x.size(0))
        return agg / degree(dst, x.size(0)).clamp(min=1).unsqueeze(-1)


class GraphClassifier(nn.Module):
    def __init__(self, node_dim=7, edge_dim=3, hidden=16, n_classes=4, depth=2):
        super().__init__()
        dims = [node_dim] + [hidden] * depth
        self.convs = nn.ModuleList()
        for a, b in zip(dims, dims[1:]):
            self.convs.append(EdgeConv(a, edge_dim, b))
        self.head = nn.Linear(hidden, n_classes)

    def forward(self, x, edge_index, edge_attr, batch):
        for conv in self.convs:
            x = torch.relu(conv(x, edge_index, edge_attr))
        n_graphs = int(batch.max()) + 1
        pooled = scatter_add(x, batch, n_graphs) / degree(batch, n_graphs)[:, None]
        return self.head(pooled)


def main():
    torch.manual_seed(0)
    x = torch.randn(10, 7)
    edge_index = torch.randint(0, 10, (2, 24))
    edge_attr = torch.randn(24, 3)
    batch = torch.tensor([0] * 4 + [1] * 6)
    print(GraphClassifier()(x, edge_index, edge_attr, batch).shape)


if __name__ == "__main__":
    main()
