import torch
import torch.nn as nn
import torch.nn.functional as F


class GATLayer(nn.Module):
    def __init__(self, in_f, out_f, heads=2, concat=True, alpha=0.2):
        super().__init__()
        self.heads, self.out_f, self.concat = heads, out_f, concat
        self.W = nn.Parameter(torch.empty(heads, in_f, out_f))
        self.a_src = nn.Parameter(torch.empty(heads, out_f, 1))
        self.a_dst = nn.Parameter(torch.empty(heads, out_f, 1))
        for p in self.parameters():
            nn.init.xavier_uniform_(p, gain=1.414)
        self.leaky = nn.LeakyReLU(alpha)

    def forward(self, x, adj):
        h = torch.matmul(x.unsqueeze(0), self.W)
        e = self.leaky(h @ self.a_src + (h @ self.a_dst).transpose(1, 2))
        e = e.masked_fill(adj.unsqueeze(0) == 0, -9e15)
        att = F.softmax(e, dim=-1)
        out = att @ h
        if self.concat:
            return F.elu(out.permute(1, 0, 2).flatten(1))
        return out.mean(0)


class GAT(nn.Module):
    def __init__(self, n_feat, n_hid, n_class, heads=2):
        super().__init__()
        self.l1 = GATLayer(n_feat, n_hid, heads)
        self.l2 = GATLayer(n_hid * heads, n_class, heads=1, concat=False)

    def forward(self, x, adj):
        x = F.dropout(x, 0.3, self.training)
        x = self.l1(x, adj)
        return F.log_softmax(self.l2(x, adj), dim=1)


def normalized_adjacency(edges, n):
    adj = torch.zeros(n, n)
    adj[edges[:, 0], edges[:, 1]] = 1
    adj = ((adj + adj.t()) > 0).float()
    return adj + torch.eye(n)


def main():
    edges = torch.randint(0, 9, (20, 2))
    adj = normalized_adjacency(edges, 9)
    out = GAT(5, 8, 3)(torch.randn(9, 5), adj)
    mask = torch.arange(9) < 6
    print(F.nll_loss(out[mask], torch.randint(0, 3, (9,))[mask]).item())


if __name__ == "__main__":
    main()
