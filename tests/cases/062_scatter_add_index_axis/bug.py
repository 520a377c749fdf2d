import torch
from torch import nn


def aggregate(messages, target, n_nodes):
    """Sum of the messages (E, D) that arrive at each node."""
    out = messages.new_zeros(n_nodes, messages.size(1))
    return out.scatter_add(0, target, messages)


class EdgeConv(nn.Module):
    def __init__(self, dim, edge_dim):
        super().__init__()
        self.message = nn.Sequential(nn.Linear(2 * dim + edge_dim, dim), nn.ReLU())
        self.update = nn.GRUCell(dim, dim)

    def forward(self, x, edge_index, edge_attr):
        src, dst = edge_index
        m = self.message(torch.cat([x[src], x[dst], edge_attr], dim=-1))
        return self.update(aggregate(m, dst, x.size(0)), x)


class GraphNet(nn.Module):
    def __init__(self, atoms=9, dim=20, edge_dim=4, steps=3):
        super().__init__()
        self.emb = nn.Linear(atoms, dim)
        self.layers = nn.ModuleList(EdgeConv(dim, edge_dim) for _ in range(steps))

    def forward(self, x, edge_index, edge_attr):
        h = self.emb(x)
        for layer in self.layers:
            h = layer(h, edge_index, edge_attr)
        return h.mean(dim=0)


def main():
    edges = torch.randint(0, 11, (2, 26))
    print(GraphNet()(torch.randn(11, 9), edges, torch.randn(26, 4)).shape)


if __name__ == "__main__":
    main()
