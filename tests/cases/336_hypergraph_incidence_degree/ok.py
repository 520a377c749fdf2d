import csv
import io

import torch
from torch import nn

MEMBERSHIP = """edge,node
0,0
0,1
0,2
1,2
1,3
2,3
2,4
2,5
3,5
3,6
"""


def read_incidence(text):
    rows = [(int(r["node"]), int(r["edge"])) for r in csv.DictReader(io.StringIO(text))]
    nodes, edges = zip(*rows)
    incidence = torch.zeros(max(nodes) + 1, max(edges) + 1)
    incidence[list(nodes), list(edges)] = 1.0
    return incidence


class Propagation:
    """D_v^-1 H D_e^-1 H^T of an incidence matrix H"""

    def __init__(self, incidence):
        self.incidence = incidence

    @property
    def node_degree(self):
        return self.incidence.sum(dim=1)

    @property
    def edge_degree(self):
        return self.incidence.sum(dim=0)

    def matrix(self):
        h = self.incidence
        left = torch.diag(self.node_degree.reciprocal()) @ h
        right = torch.diag(self.edge_degree.reciprocal()) @ h.t()
        return left @ right


class HyperConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.theta = nn.Linear(n_in, n_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x, propagation):
        return propagation @ self.theta(x) + self.bias


class HGNN(nn.Module):
    def __init__(self, features, hidden, classes, dropout=0.3):
        super().__init__()
        self.convs = nn.ModuleList([HyperConv(features, hidden), HyperConv(hidden, classes)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, propagation):
        first, second = self.convs
        return second(self.dropout(torch.relu(first(x, propagation))), propagation)


def train(incidence, labels, epochs=3):
    propagation = Propagation(incidence).matrix()
    x = torch.randn(incidence.shape[0], 8)
    model = HGNN(8, 16, int(labels.max()) + 1)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
    for _ in range(epochs):
        loss = nn.functional.cross_entropy(model(x, propagation), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


if __name__ == "__main__":
    incidence = read_incidence(MEMBERSHIP)
    print(train(incidence, torch.arange(len(incidence)) % 3))
