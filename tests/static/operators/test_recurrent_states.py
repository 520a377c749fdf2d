"""States of recurrent layers: `batch_first=True` does not concern them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

INPUT = "def f(x: Tensor):\n    b, t, d = x.shape\n"
FOUND = {
    "a GRU": "    return nn.GRU(16, 32, batch_first=True)(x, torch.zeros(b, 1, 32))  # HERE\n",
    "an RNN": "    return nn.RNN(16, 32, batch_first=True)(x, x.new_zeros(b, 1, 32))  # HERE\n",
    "both states of an LSTM": (
        "    h = torch.zeros(b, 1, 32)\n    return nn.LSTM(16, 32, batch_first=True)(x, (h, h))  # HERE\n"
    ),
    "two layers": "    return nn.GRU(16, 32, 2, batch_first=True)(x, torch.zeros(b, 2, 32))  # HERE\n",
}
QUIET = {
    "a GRU": "    return nn.GRU(16, 32, batch_first=True)(x, torch.zeros(1, b, 32))\n",
    "the time first": "    return nn.GRU(16, 32)(x.transpose(0, 1), torch.zeros(1, b, 32))\n",
    "no state": "    return nn.GRU(16, 32, batch_first=True)(x)\n",
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    source = INPUT + FOUND[case]
    ((line, code, message),) = reported(tmp_path, source)
    assert (line, code) == (place(source), "shape-mismatch")
    assert "it works only if b equals" in message


@pytest.mark.parametrize("case", QUIET)
def test_quiet(case: str, tmp_path: Path) -> None:
    assert reported(tmp_path, INPUT + QUIET[case]) == []
