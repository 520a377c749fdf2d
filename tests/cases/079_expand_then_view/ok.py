import torch
from torch import nn


class RelationHead(nn.Module):
    """Scores each pair (object, question) as in relation networks."""

    def __init__(self, obj=12, question=10, hidden=32):
        super().__init__()
        self.g = nn.Sequential(nn.Linear(2 * obj + question, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.f = nn.Linear(hidden, 1)

    def forward(self, objects, question):
        b, n, d = objects.shape
        left = objects.unsqueeze(2).expand(b, n, n, d)
        right = objects.unsqueeze(1).expand(b, n, n, d)
        q = question[:, None, None].expand(b, n, n, question.size(-1))
        pairs = torch.cat([left, right, q], dim=-1).view(b, n * n, -1)
        return self.f(self.g(pairs).sum(dim=1)).squeeze(-1)


def main():
    head = RelationHead()
    answer = head(torch.randn(3, 6, 12), torch.randn(3, 10))
    loss = nn.functional.binary_cross_entropy_with_logits(answer, torch.tensor([0.0, 1.0, 1.0]))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
