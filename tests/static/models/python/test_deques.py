"""Deques: their methods as those of Python, on known items and on a deque that a loop fills."""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from shapecheck.static import check

HEAD = "import torch\nfrom collections import deque\nfrom shapecheck import reveal_shape\n\n"
CALLS = ["append(7)", "appendleft(8)", "extend([5, 6])", "extendleft([3, 4])", "pop()", "popleft()", "reverse()"]
CALLS += ["rotate()", "rotate(2)", "rotate(-4)", "insert(1, 9)", "clear()", "copy()"]


def _ended(calls: list[str], most: int | None) -> deque[Any]:
    d = deque([1, 2, 3], maxlen=most)
    for one in calls:
        eval(f"d.{one}")
    return d


def _programs(count: int) -> list[tuple[list[str], int | None]]:
    chosen = random.Random(0)
    return [(chosen.choices(CALLS[:-3], k=3), chosen.choice([None, 3, 5])) for _ in range(count)]


@pytest.mark.parametrize(("calls", "most"), [*(([one], None) for one in CALLS), *_programs(20)], ids=str)
def test_items_are_those_of_python(calls: list[str], most: int | None, tmp_path: Path) -> None:
    lines = [f"d.{one}" for one in calls]
    path = tmp_path / "program.py"
    path.write_text(
        f"{HEAD}d = deque([1, 2, 3], {most})\n" + "\n".join(lines) + "\ny = torch.zeros(list(d))\nreveal_shape(y)\n"
    )
    (found,) = check([path])
    assert found.message.partition("(")[2].startswith(str(tuple(_ended(calls, most)))[1:].rstrip(")").rstrip(",")), (
        found
    )


def test_the_items_of_an_open_deque_have_what_they_have_in_common(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        HEAD
        + "d = deque()\nfor _ in range(int(input())):\n    d.appendleft(torch.zeros(2, 3))\n"
        + "x = d.popleft()\nreveal_shape(x)\n"
    )
    assert "(2, 3)" in check([path])[0].message
