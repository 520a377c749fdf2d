"""cross-entropy-order: one clear finding instead of torch's error."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FOUND = {
    "the function": "F.cross_entropy(torch.randint(0, 5, (8,)), torch.zeros(8, 5))  # HERE",
    "the layer": "nn.CrossEntropyLoss()(torch.randint(0, 5, (8,)), torch.zeros(8, 5))  # HERE",
    "by name": "F.cross_entropy(target=torch.zeros(8, 5), input=torch.randint(0, 5, (8,)))  # HERE",
    "nll_loss": "F.nll_loss(torch.zeros(8).long(), torch.zeros(8, 5).log_softmax(-1))  # HERE",
    "of unknown shapes": """
        def loss(scores: Float[Tensor, "*b c"], labels):
            return F.cross_entropy(labels.long(), scores)  # HERE

        loss(torch.zeros(8, 5), torch.zeros(8))
        """,
}

QUIET = {
    "scores, then classes": "F.cross_entropy(torch.zeros(8, 5), torch.randint(0, 5, (8,)))",
    "scores, then probabilities": "F.cross_entropy(torch.zeros(8, 5), torch.zeros(8, 5).softmax(-1))",
    "an unknown dtype": """
        def loss(scores, labels):
            return F.cross_entropy(labels, scores)
        """,
    "a loss of two floats": "F.mse_loss(torch.zeros(8), torch.zeros(8))",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, text),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "cross-entropy-order")
    assert "expected floating-point scores and integer classes, got torch.int64 and torch.float32; swap the arg" in text


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []


@pytest.mark.parametrize("source", [*FOUND.values()])
def test_torch_refuses_it_too(source: str) -> None:
    torch = pytest.importorskip("torch")
    names = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "Float": dict.fromkeys([(torch.Tensor, "*b c")])}
    with pytest.raises(RuntimeError):
        exec(textwrap.dedent(source), {**names, "Tensor": torch.Tensor})
