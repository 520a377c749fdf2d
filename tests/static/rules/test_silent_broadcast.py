"""silent-broadcast: an outer result that is not intended. `tests/conditions/test_intent.py` has the exemptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "a column that was moved, but not added": "torch.zeros(4) * torch.zeros(1, 4).T  # HERE",
    "a column and a row": "torch.zeros(4, 1) - torch.zeros(4)  # HERE",
    "a product of the same items": "torch.zeros(4, 1) * torch.zeros(4)  # HERE",
    "a comparison of the same items": "(torch.zeros(4, 1) > 0.5) == torch.zeros(4).bool()  # HERE",
    "an order with a column that was not inserted": """
        torch.zeros(4, 6).amax(1, keepdim=True) > torch.zeros(4)  # HERE
        """,
    "a mask without the channel": "torch.zeros(3, 1, 5, 5) * torch.zeros(3, 5, 5)  # HERE",
    "a column that was picked": """
        index = torch.zeros(4).long().unsqueeze(1)
        torch.zeros(4, 6).gather(1, index) * torch.zeros(4)  # HERE
        """,
    "log_prob of a row under a column": """
        torch.distributions.Normal(torch.zeros(4, 1), 1.0).log_prob(torch.zeros(4))  # HERE
        """,
    "a column made by view, compared with other items": """
        label = torch.zeros(4).view(-1, 1)
        label == torch.zeros(4)  # HERE
        """,
    "the exponential of a column with its vector": """
        x = torch.zeros(4)
        column = x[:, None]
        column.exp() - x  # HERE
        """,
    "a dimension that was inserted on both sides, and reduced on one": """
        scores, target = torch.zeros(4).unsqueeze(-1), torch.zeros(4).unsqueeze(-1)
        mask = torch.ones_like(target)
        mask *= 2
        torch.mean(scores, dim=1) * mask  # HERE
        """,
    "the same in a function": """
        def smoothed(scores, mask):
            return (scores.float().sum(-1) / 2) * mask  # HERE

        smoothed(torch.zeros(4)[:, None], torch.ones(4)[:, None])
        """,
    "a column that was inserted, beside no matrix": """
        x, y = torch.zeros(4), torch.ones(4)
        row = torch.rand(1, 4)
        x[:, None] - y - row  # HERE
        """,
    "a square matrix by its row sums": """
        x = torch.rand(4, 4)
        total = x.sum(dim=1)
        x / total  # HERE
        """,
    "a product of two matrices": """
        x, y = torch.rand(4, 3), torch.rand(4, 3)
        product = x @ y.T
        product / product.sum(1)  # HERE
        """,
    "a matrix times itself": """
        x = torch.rand(4, 4)
        product = x @ x
        product / product.sum(1)  # HERE
        """,
    "a product whose columns are weighted": """
        x = torch.rand(5, 4)
        product = (x * x.mean(0)).T @ x
        product / product.sum(1)  # HERE
        """,
    "a product whose rows are weighted": """
        x = torch.rand(5, 4)
        product = (x * x.mean(1, keepdim=True)).mm(x.transpose(0, 1))
        product / product.sum(1)  # HERE
        """,
    "a symmetric matrix that is divided by a row": """
        x = torch.rand(5, 4)
        product = x @ x.T / torch.rand(1, 5)
        product / product.sum(1)  # HERE
        """,
    "a symmetric matrix that is overwritten": """
        x = torch.rand(5, 4)
        product = x @ x.T
        product.mul_(torch.rand(5))
        product / product.sum(1)  # HERE
        """,
    "an equality of pairs, beside an equality of others": """
        def same(x, y, z):
            return (x[:, None] == y) & (z == x[:, None].squeeze(1)) & (z[:, None] == z)  # HERE

        same(torch.rand(4), torch.rand(4), torch.rand(4))
        """,
    "an equality of pairs, beside a vector": """
        x, y, valid = torch.rand(4), torch.rand(4), torch.rand(4) > 0
        (x[:, None] == y) & valid  # HERE
        """,
    "an equality of pairs, and an order of others": """
        def same(x, y, z):
            return x.unsqueeze(1) == y, x.unsqueeze(1) < z  # HERE

        same(torch.rand(4), torch.rand(4), torch.rand(4))
        """,
}
QUIET = {
    "an equality of pairs, and of the exchanged operands": """
        def same(low, high):
            return (low[:, None] == high) & (low == high[:, None])

        same(torch.rand(4), torch.rand(4))
        """,
    "an equality of pairs, and an order of them": """
        def blocks(low, high):
            partly = (low.unsqueeze(1) <= high) & (high.unsqueeze(1) >= low)
            return partly, high.unsqueeze(1) == low

        blocks(torch.rand(4), torch.rand(4))
        """,
    "an equality of pairs, beside a mask of pairs": """
        x, y, causal = torch.rand(4), torch.rand(4), torch.ones(4, 4).tril() > 0
        causal & (x[:, None] == y)
        """,
    "symmetric matrices by their row sums": """
        x = torch.rand(5, 4).softmax(1)
        gram, similar = x @ x.T, torch.exp(torch.mm(x, x.permute(1, 0)) / 2)
        gram / gram.sum(1), similar / similar.sum(-1)
        """,
    "symmetric matrices whose sums are weighted, by their row sums": """
        x = torch.rand(5, 4).softmax(1)
        weight = x.mean(1)
        gram = torch.mm((x * (2 * weight).unsqueeze(1)).transpose(1, 0), x)
        similar = torch.matmul(x, (x.mean(0) * x / 2).t())
        gram / torch.sum(gram, dim=1), similar / similar.sum(1)
        """,
    "areas of pairs of boxes, from which a matrix is subtracted": """
        def overlap(x):
            area = x[:, 2] * x[:, 3]
            both = torch.max(x[:, None, :2], x[:, :2]).prod(-1)
            return both / (area[:, None] + area * 1.0 - both)

        overlap(torch.rand(4, 4))
        """,
    "a column that is paired with a row in another statement": """
        def bounds(x, low, high):
            below = x.unsqueeze(1) - low.unsqueeze(0)
            return below, high - x.unsqueeze(1)

        bounds(torch.rand(4), torch.rand(4), torch.rand(4))
        """,
    "an axis that was added at another place, and moved": """
        x, y = torch.arange(3.5, 0, -1), torch.zeros(4)
        x * x.unsqueeze(0).T, x * y[None].transpose(0, 1)
        """,
    "probabilities of pairs that are summed over": """
        prior, scores = torch.tensor([0.4, 0.6]), torch.zeros(2)
        total = torch.logsumexp(torch.log(prior) + scores[:, None], dim=-1)
        """,
    "an axis that was added before": """
        x = torch.zeros(4)
        column = x[:, None]
        column * x, column == x, column.detach() - x
        """,
    "all pairs of two reductions of columns": """
        x, y = torch.rand(4).unsqueeze(-1), torch.rand(4).unsqueeze(-1)
        x.norm(dim=1) * y.norm(dim=1)[:, None], x.sum(1) * y.sum(1).unsqueeze(-1)
        """,
    "all pairs of a reduction of rows": """
        x, weight = torch.rand(4, 3), torch.rand(4)
        x.sum(1) * weight.unsqueeze(-1)
        """,
    "a reduced column, and a column again": """
        x = torch.rand(4).unsqueeze(-1)
        x.mean(1).unsqueeze(-1) * x, x.mean(1, keepdim=True) * x, x.mean(0) * x
        """,
    "a mask of pairs by their order": """
        degrees = torch.arange(4)
        following = torch.arange(4) + 1
        following.unsqueeze(-1) >= degrees
        """,
    "a position encoding": """
        position = torch.arange(4) if len(input()) else torch.arange(3, -1, -1)
        position.float().unsqueeze(1) * torch.rand(4)
        """,
    "labels compared with each other": """
        labels = torch.zeros(4)
        labels.view(-1, 1) == labels
        """,
    "squared distances of other items": """
        x, y = torch.zeros(5, 3), torch.zeros(4, 3)
        a = x.pow(2).sum(1, keepdim=True)
        a + y.pow(2).sum(1)
        """,
    "a mask with a channel": "torch.zeros(3, 1, 5, 5) * torch.zeros(3, 1, 5, 5)",
    "one sample": "torch.zeros(1, 1, 5, 5) * torch.zeros(1, 5, 5)",
    "log_prob of a column": "torch.distributions.Normal(torch.zeros(4, 1), 1.0).log_prob(torch.zeros(4, 1))",
    "a square matrix by its column sums": """
        x = torch.rand(4, 4)
        total = x.sum(dim=0)
        x / total
        """,
    "a square matrix and another vector": "torch.rand(4, 4) / torch.rand(4)",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, _),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "silent-broadcast")


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
