import torch
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_in, n_out))
        if bias:
            self.bias = nn.Parameter(torch.zeros(n_out))
        else:
            self.register_parameter("bias", None)
        nn.init.kaiming_uniform_(self.weight)

    def forward(self, x, adj):
        support = torch.mm(self.weight, x)
        out = torch.spmm(adj, support)
        return out if self.bias is None else out + self.bias

    def extra_repr(self):
        return "{} -> {}".format(*self.weight.shape)


def normalize(adj):
    adj = adj + torch.eye(adj.shape[0])
    d = adj.sum(1).pow(-0.5)
    return (d[:, None] * adj * d[None, :]).to_sparse()


class GCN(nn.Module):
    def __init__(self, *dims):
        super().__init__()
        self.layers = nn.ModuleList(map(GraphConv, dims[:-1], dims[1:]))

    def forward(self, x, adj):
        for i, layer in enumerate(self.layers):
            x = layer(x, adj)
            if i + 1 < len(self.layers):
                x = torch.relu(x)
        return x


def main():
    adj = (torch.rand(12, 12) > 0.7).float()
    adj = torch.maximum(adj, adj.T)
    model = GCN(9, 16, 3)
    logits = model(torch.randn(12, 9), normalize(adj))
    train = torch.tensor([0, 3, 5, 7])
    loss = nn.functional.cross_entropy(logits[train], torch.tensor([0, 2, 1, 1]))
    loss.backward()
    print(model, loss.item())


if __name__ == "__main__":
    main()
