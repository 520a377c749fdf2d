import numpy as np
import torch
from torch import nn


class FeaturesEmbedding(nn.Module):
    def __init__(self, field_dims, dim):
        super().__init__()
        self.embedding = nn.Embedding(sum(field_dims), dim)
        self.register_buffer("offsets", torch.tensor(np.array((0, *np.cumsum(field_dims)[:-1]), dtype=np.int64)))
        nn.init.xavier_uniform_(self.embedding.weight.data)

    def forward(self, x):
        return self.embedding(x + self.offsets.unsqueeze(0))


class FactorizationMachine(nn.Module):
    def forward(self, x):
        square_of_sum = torch.sum(x, dim=1) ** 2
        sum_of_square = torch.sum(x ** 2, dim=1)
        return 0.5 * torch.sum(square_of_sum - sum_of_square, dim=1, keepdim=True)


class DeepFM(nn.Module):
    def __init__(self, field_dims, dim=8, mlp_dims=(16, 16), dropout=0.2):
        super().__init__()
        self.embedding = FeaturesEmbedding(field_dims, dim)
        self.linear = FeaturesEmbedding(field_dims, 1)
        self.fm = FactorizationMachine()
        self.width = sum(field_dims) * dim
        layers, c = [], self.width
        for m in mlp_dims:
            layers += [nn.Linear(c, m), nn.BatchNorm1d(m), nn.ReLU(), nn.Dropout(p=dropout)]
            c = m
        layers.append(nn.Linear(c, 1))
        self.mlp = nn.Sequential(*layers)

    def forward(self, x):
        e = self.embedding(x)
        logit = self.linear(x).sum(1) + self.fm(e) + self.mlp(e.view(-1, self.width))
        return torch.sigmoid(logit.squeeze(1))


def main():
    fields = [10, 5, 12]
    x = torch.stack([torch.randint(0, n, (8,)) for n in fields], dim=1)
    y = torch.randint(0, 2, (8,)).float()
    print(nn.BCELoss()(DeepFM(fields)(x), y).item())


if __name__ == "__main__":
    main()
