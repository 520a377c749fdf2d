"""flattened-index: the indices of all samples select from each sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

FUNCTION = """
def best(scores: Tensor, boxes: Tensor, table: Tensor, ids: Tensor, k: int):
    b, n = scores.shape
    boxes = boxes.view(b, n, 4)
    values, index = scores.topk(k, dim=1)
    order = scores.argsort(dim=-1)
    best = scores.argmax(dim=1)
    return {}
"""

FOUND = {
    "a view": "boxes[:, index.view(-1)]",
    "flatten": "boxes[:, index.flatten()]",
    "with the other dimensions": "boxes[:, index.reshape(-1), :]",
    "index_select": "boxes.index_select(1, index.view(-1))",
    "some of the indices": "boxes[:, order[:, :k].reshape(-1)]",
    "a number of indices": "boxes[:, scores.topk(5, 1).indices.view(-1)]",
    "by default along the last dimension": "boxes[:, scores.sort()[1].view(-1)]",
}

QUIET = {
    "rows and indices": "boxes[torch.arange(b)[:, None], index]",
    "gather": "boxes.gather(1, index[..., None].expand(-1, -1, 4))",
    "all samples as one": "boxes.view(b * n, 4)[index.view(-1)]",
    "the indices of one sample": "boxes[:, index[0]]",
    "one index for each sample": "boxes[torch.arange(b), best]",
    "indices that are arguments": "boxes[:, ids.view(-1)]",
    "a table without samples": "table.view(n, 4)[:, index.view(-1)]",
    "the first dimension": "table[index.view(-1)]",
}


@pytest.mark.parametrize("result", FOUND.values(), ids=FOUND)
def test_found(result: str, tmp_path: Path) -> None:
    source = FUNCTION.format(f"{result}  # HERE")
    ((line, code, _),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "flattened-index")


@pytest.mark.parametrize("result", QUIET.values(), ids=QUIET)
def test_quiet(result: str, tmp_path: Path) -> None:
    assert reported(tmp_path, FUNCTION.format(result)) == []


def test_the_message(tmp_path: Path) -> None:
    ((_, _, message),) = reported(tmp_path, FUNCTION.format("boxes[:, index.view(-1)]"))
    assert message == (
        "b*k indices, those of all samples, select from each sample of (b, n, 4) in dimension 1; use gather"
    )
