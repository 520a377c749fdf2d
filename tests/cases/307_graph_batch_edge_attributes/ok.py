import torch
from torch import nn


class Graph:
    def __init__(self, x, edge_index, edge_attr, y):
        self.x, self.edge_index, self.edge_attr, self.y = x, edge_index, edge_attr, y

    @property
    def num_nodes(self):
        return self.x.shape[0]


def to_undirected(graph):
    src, dst = graph.edge_index
    both = torch.stack([torch.cat([src, dst]), torch.cat([dst, src])])
    attr = torch.cat([graph.edge_attr, graph.edge_attr])
    return Graph(graph.x, both, attr, graph.y)


def collate(graphs):
    xs, edges, attrs, owner, offset = [], [], [], [], 0
    for i, g in enumerate(graphs):
        xs.append(g.x)
        edges.append(g.edge_index + offset)
        attrs.append(g.edge_attr)
        owner.append(torch.full((g.num_nodes,), i))
        offset += g.num_nodes
    batch = Graph(torch.cat(xs), torch.cat(edges, dim=1), torch.cat(attrs), torch.stack([g.y for g in graphs]))
    return batch, torch.cat(owner)


class EdgeConv(nn.Module):
    def __init__(self, dim, edge_dim):
        super().__init__()
        self.node = nn.Linear(dim, dim)
        self.edge = nn.Linear(edge_dim, dim)
        self.update = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU())

    def forward(self, x, edge_index, edge_attr):
        src, dst = edge_index
        messages = torch.relu(self.node(x)[src] + self.edge(edge_attr))
        out = torch.zeros_like(x).index_add_(0, dst, messages)
        return self.update(torch.cat([x, out], dim=-1))


class GraphRegressor(nn.Module):
    def __init__(self, features=5, edge_dim=2, dim=16, depth=2):
        super().__init__()
        self.embed = nn.Linear(features, dim)
        self.convs = nn.ModuleList([EdgeConv(dim, edge_dim) for _ in range(depth)])
        self.readout = nn.Linear(dim, 1)

    def forward(self, batch, owner):
        x = self.embed(batch.x)
        for conv in self.convs:
            x = conv(x, batch.edge_index, batch.edge_attr)
        pooled = x.new_zeros(len(batch.y), x.shape[1]).index_add_(0, owner, x)
        return self.readout(pooled).squeeze(-1)


def ring(nodes, edge_dim=2):
    at = torch.arange(nodes)
    edge_index = torch.stack([at, (at + 1) % nodes])
    return Graph(torch.randn(nodes, 5), edge_index, torch.randn(nodes, edge_dim), torch.tensor(float(nodes)))


def main():
    graphs = [to_undirected(ring(n)) for n in (4, 6, 5)]
    batch, owner = collate(graphs)
    pred = GraphRegressor()(batch, owner)
    print(nn.functional.l1_loss(pred, batch.y).item())


if __name__ == "__main__":
    main()
