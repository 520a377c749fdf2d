"""Calls of torch that no arguments fit: reported whatever is known of the tensors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "an unknown keyword": "def f(x):\n    return torch.softmax(x, dims=1)  # HERE\n",
    "of an annotated tensor": "def f(x: Tensor):\n    return F.softmax(x, dims=1)  # HERE\n",
    "a missing argument": "def f(x):\n    return torch.cumsum(x)  # HERE\n",
    "of an unknown number": "def f(n):\n    return torch.zeros(n, dims=1)  # HERE\n",
    "a layer of unknown sizes": "def f(n):\n    return nn.Linear(n, n, biases=False)  # HERE\n",
    "too many arguments": "def f(x):\n    return torch.relu(x, 1, 2)  # HERE\n",
}

QUIET = {
    "arguments of unknown number": "def f(x, *args, **kwargs):\n    return torch.softmax(x, *args, **kwargs)\n",
    "unknown arguments": "def f(x, options):\n    return torch.softmax(x, **options)\n",
    "a method of what may be no tensor": "def f(x):\n    return x.mean(1).std(ddof=1)\n",
    "words of numpy": "def f(x):\n    return torch.sum(x, axis=1, keepdims=True)\n",
    "a result that is given": "def f(x, y):\n    return torch.add(x, y, out=x)\n",
    "an overload for results that exist": """
def f(x: Tensor, values, indices):
    return torch.ops.aten.topk.values(x, 2, values=values, indices=indices)
""",
    "names of the dimensions": "def f(data):\n    return torch.tensor(data, names=['b', 't'])\n",
    "a function of that name": "def softmax(x, dims):\n    return x\n\ndef f(x):\n    return softmax(x, dims=1)\n",
}


@pytest.mark.parametrize("source", FOUND.values(), ids=FOUND)
def test_found(source: str, tmp_path: Path) -> None:
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "wrong-call")


@pytest.mark.parametrize("source", QUIET.values(), ids=QUIET)
def test_quiet(source: str, tmp_path: Path) -> None:
    assert reported(tmp_path, source) == []
