"""shape-mismatch of a reshape that only works if a size is 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.static.rules.programs import place, reported

HEADS = "def f(x: Tensor, heads: int):\n    b, t, d = x.shape\n"

FOUND = {
    "heads added to the channels": HEADS + "    return x.reshape(b, t, d * heads)  # HERE\n",
    "heads that are still in the batch": """
        def merge(x: Tensor, heads: int):
            b, t, d = x.shape
            x = x.unflatten(0, (b // heads, heads)).transpose(1, 2)
            return x.reshape(b, t, d * heads)  # HERE
        """,
    "a dimension that is forgotten": HEADS + "    return x.view(b, d)  # HERE\n",
}

QUIET = {
    "heads taken from the channels": HEADS + "    return x.reshape(b, t, heads, d // heads)\n",
    "heads taken from the batch": HEADS + "    return x.reshape(b // heads, heads, t, d)\n",
    "another size": HEADS + "    return x.reshape(b, heads, -1)\n",
    "sizes that are not related": HEADS.replace("heads", "h") + "    return x.view(b, h, -1, d)\n",
    "where the size is 1": HEADS + "    if t == 1:\n        return x.view(b, d)\n    return x\n",
    "a rank that is asserted": HEADS + "    assert heads == 1\n    return x.reshape(b, t, d * heads)\n",
}


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path) -> None:
    ((line, code, message),) = reported(tmp_path, FOUND[name])
    assert (line, code) == (place(FOUND[name]), "shape-mismatch")
    assert " unless " in message


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert reported(tmp_path, QUIET[name]) == []
