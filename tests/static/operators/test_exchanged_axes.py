"""Calls that need two dimensions of a tensor to be equal, because the tensor should have been transposed."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check
from tests.static.programs import CODES, lines_of

NET = """
class Net(nn.Module):
    def __init__(self, dim, heads, tokens):
        super().__init__()
        self.heads = heads
        self.norm, self.fc, self.conv = nn.LayerNorm(dim), nn.Linear(dim, dim), nn.Conv1d(dim, dim, 3)
        self.bn, self.rnn = nn.BatchNorm1d(dim), nn.GRU(dim, dim, batch_first=True)
        self.patches, self.embedding = nn.Conv2d(3, dim, 16, 16), nn.Embedding(9, dim)
        self.mixer = nn.Linear(tokens, tokens)
        self.token = nn.Parameter(torch.zeros(1, 1, dim))
        self.conv64, self.rnn64 = nn.Conv1d(3, 64, 3), nn.LSTM(64, 32)
        self.conv3, self.fc3 = nn.Conv1d(9, 3, 3), nn.Linear(3, 4)
        self.height = self.width = 16
        self.patches256 = nn.Conv2d(3, 256, 16, 16)
        self.places, self.twice = nn.Linear(self.height * self.width, 4), nn.Linear(2 * 128, 4)

    def forward(self, x, y):
        {body}
"""
FOUND = {
    "a convolution of what was normalized": "b, t, d = x.shape\n        return self.conv(self.norm(x))",
    "a batch norm of what was normalized": "b, t, d = x.shape\n        return self.bn(self.norm(x))",
    "a convolution of embeddings": "x = self.embedding(x)\n        return self.conv(x)",
    "a layer norm of channels": "return self.norm(self.patches(x))",
    "a linear layer of channels": "return self.fc(self.patches(x).flatten(2))",
    "a recurrent layer of channels": "return self.rnn(self.conv(x))[0]",
    "a multiple of a number of channels": "return self.twice(self.patches256(x).flatten(2))",
    "numbers of channels": "return self.rnn64(self.conv64(x))[0]",
    "scores without a transposed operand": (
        "b, t, d = x.shape\n"
        "        q, k = (one.view(b, -1, self.heads, 16).transpose(1, 2) for one in (self.fc(x), self.fc(y)))\n"
        "        return q @ k"
    ),
    "patches that are not transposed": (
        "x = self.patches(x).flatten(2)\n        return torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1)"
    ),
}
QUIET = {
    "all places of an image of a fixed size": "return self.places(self.patches256(x).flatten(2))",
    "the weight of a convolution for an unknown number of channels": (
        "weight = torch.zeros(x.shape[0] * y.shape[1], 64, 1, 1).transpose(0, 1)\n"
        "        return F.conv2d(torch.zeros(2, 64, 9, 9), weight)"
    ),
    "the targets of scores of all pairs": (
        "q, a = self.fc(x), self.fc(y)\n        scores = torch.mm(q, a.t())\n"
        "        return nn.CrossEntropyLoss()(scores, torch.arange(scores.shape[1]))"
    ),
    "a transposed input": "b, t, d = x.shape\n        return self.conv(self.norm(x).transpose(1, 2))",
    "tokens and channels": "x = x + self.mixer(x.mT).mT\n        return x + self.fc(x)",
    "rows and columns of pairs": "b, i, j = x.shape\n        return self.fc(x) + self.fc(x.transpose(1, 2)).mT",
    "a small number of channels": "return self.fc3(self.conv3(x))",
    "scores": (
        "b, t, d = x.shape\n"
        "        q, k = (one.view(b, -1, self.heads, 16).transpose(1, 2) for one in (self.fc(x), self.fc(y)))\n"
        "        return q @ k.mT"
    ),
    "square matrices that are multiplied": "n, m = x.shape\n        y = torch.eye(n)\n        return y @ x @ y",
    "a graph operator of square matrices": (
        "k, n, m = x.shape\n        return torch.matmul(x, torch.matmul(x.new_zeros(k, n, n), y).new_zeros(k, n, 5))"
    ),
    "unnamed sizes": "y = torch.zeros(x.shape[0] // 2 + x.shape[1], 4, 9)\n        return self.conv3(y.view(-1, 9, 4))",
    "a quadratic form": "w = self.fc.weight\n        return w.mT @ (x @ w)",
    "a power of a matrix": "n, m = x.shape\n        return x @ x",
    "an adjacency matrix": "return x @ self.fc(y)",
    "maps of square images": (
        "b, t, d = x.shape\n        z = x.view(b, 9 * t, 9 * t, -1)\n"
        "        return torch.cat([z, torch.zeros(b, y.shape[0] // 2 + 1, 9 * t, 4)], -1)"
    ),
    "a matrix that must be square": "b, n, m = x.shape\n        return torch.linalg.inv(x)",
}


@pytest.mark.parametrize("case", FOUND)
def test_a_missing_transposition_is_found(tmp_path: Path, case: str) -> None:
    path, _ = lines_of(tmp_path, NET.format(body=FOUND[case]))
    ((code, message),) = [(one.code, one.message) for one in check([path], codes=CODES)]
    assert code == "shape-mismatch"
    assert "use permute or transpose first" in message


@pytest.mark.parametrize("case", QUIET)
def test_everything_else_is_quiet(tmp_path: Path, case: str) -> None:
    path, _ = lines_of(tmp_path, NET.format(body=QUIET[case]))
    assert check([path], codes=CODES) == []
