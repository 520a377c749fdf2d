import torch
from torch import nn


def knn(x, k):
    inner = -2 * torch.matmul(x.transpose(2, 1), x)
    xx = torch.sum(x ** 2, dim=1, keepdim=True)
    return (-xx - inner - xx.transpose(2, 1)).topk(k=k, dim=-1)[1]


def graph_feature(x, k=4):
    b, d, n = x.size()
    idx = knn(x, k)
    idx = (idx + torch.arange(b).view(-1, 1, 1) * n).view(-1)
    x = x.transpose(2, 1).contiguous()
    feature = x.view(b * n, -1)[idx].view(b, n, k, d)
    x = x.view(b, n, 1, d).repeat(1, 1, k, 1)
    return torch.cat((feature - x, x), dim=3).permute(0, 3, 1, 2).contiguous()


class DGCNN(nn.Module):
    def __init__(self, k=4, classes=5, widths=(16, 32)):
        super().__init__()
        self.k = k
        self.convs = nn.ModuleList()
        c = 3
        for w in widths:
            self.convs.append(nn.Sequential(nn.Conv2d(2 * c, w, 1, bias=False), nn.BatchNorm2d(w), nn.LeakyReLU(0.2)))
            c = w
        self.emb = nn.Conv1d(widths[-1], 64, 1)
        self.cls = nn.Linear(128, classes)

    def forward(self, pts):
        x, outs = pts, []
        for conv in self.convs:
            x = conv(graph_feature(x, self.k)).max(dim=-1, keepdim=False)[0]
            outs.append(x)
        x = self.emb(torch.cat(outs, dim=1))
        pooled = torch.cat((x.amax(-1), x.mean(-1)), dim=1)
        return self.cls(pooled)


def main():
    cloud = torch.randn(2, 32, 3)
    cloud = (cloud - cloud.mean(1, keepdim=True)) / cloud.norm(dim=-1).amax(1)[:, None, None]
    print(DGCNN()(cloud.permute(0, 2, 1)).shape)


if __name__ == "__main__":
    main()
