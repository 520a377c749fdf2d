"""Words that show a broadcast is wanted are parts of identifiers, not any run of letters."""

from __future__ import annotations

import pytest

from shapecheck.conditions.intent import asks_for_pairs


@pytest.mark.parametrize(
    "source",
    [
        *("x.view(-1, 1) - y", "x[:, None] - y", "x[:, np.newaxis] - y", "x.unsqueeze(1) - y", "x.expand_as(y) - y"),
        *(
            "torch.outer(x, y) - z",
            "outer_sum - y",
            "OuterSum - y",
            "pred_reshaped - y",
            "rearrange(x, 'n -> n 1') - y",
        ),
    ],
)
def test_wanted(source: str) -> None:
    assert asks_for_pairs(source)


@pytest.mark.parametrize("source", ["router - y", "preview - y", "reviews - y", "none - y", "interviewer - y", "x - y"])
def test_not_wanted(source: str) -> None:
    assert not asks_for_pairs(source)
