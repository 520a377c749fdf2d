import torch
import torch.nn.functional as F
from torch import nn


class HyperLinear(nn.Module):
    """A linear layer whose weights are produced from a task vector."""

    def __init__(self, task_dim, n_in, n_out):
        super().__init__()
        self.n_in, self.n_out = n_in, n_out
        self.n_params = n_in * n_out + n_out
        self.gen = nn.Linear(task_dim, n_in * n_out)

    def forward(self, task, x):
        flat = self.gen(task)
        w, b = flat.split([self.n_in * self.n_out, self.n_out], dim=-1)
        w = w.view(-1, self.n_out, self.n_in)
        return torch.einsum("toi,tbi->tbo", w, x) + b.unsqueeze(1)


class HyperMLP(nn.Module):
    def __init__(self, n_tasks, task_dim=6, sizes=(3, 10, 1)):
        super().__init__()
        self.tasks = nn.Embedding(n_tasks, task_dim)
        self.layers = nn.ModuleList(HyperLinear(task_dim, i, o) for i, o in zip(sizes, sizes[1:]))

    def forward(self, ids, x):
        z = self.tasks(ids)
        *hidden, last = self.layers
        for layer in hidden:
            x = F.elu(layer(z, x))
        return last(z, x).squeeze(-1)


if __name__ == "__main__":
    model = HyperMLP(7)
    ids = torch.tensor([0, 3, 5])
    y = model(ids, torch.randn(3, 20, 3))
    assert y.shape == (3, 20)
