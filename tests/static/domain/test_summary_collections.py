"""Lists and dicts of unknown length, all of whose items are alike."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = """\
import torch
from torch import Tensor, cat, stack
from shapecheck import reveal_shape

MAY = torch.rand(1) > 0.5

def run(xs: list[Tensor], maps: "dict[str, Tensor]", pairs: list[tuple[int, int]], targets: list[dict[str, Tensor]]):
"""

KNOWN = [
    ("ys = [x.view(2, 3) for x in xs]", "ys[0]", "(2, 3)"),
    ("ys = [x.view(2, 3) for x in xs]", "cat(ys)", "(?, 3)"),
    ("ys = [x.view(2, 3) for x in xs]", "cat(ys, dim=-1)", "(2, ?)"),
    ("ys = [x.view(2, 3) for x in xs]", "stack(ys)", "(?, 2, 3)"),
    ("ys = [x.view(2, 3) for x in xs]", "stack([y.sum(0) for y in ys], 1)", "(3, ?)"),
    ("ys = []\nfor x in xs:\n    ys.append(x.view(2, 3))", "cat(ys)", "(?, 3)"),
    ("ys = []\nfor i in range(len(xs)):\n    ys.append(torch.zeros(4, 5))", "stack(ys)", "(?, 4, 5)"),
    ("ys = []\nfor x in xs:\n    ys.append(x.view(2, 3))\n    ys.append(x.view(4, 3))", "cat(ys)", "(?, 3)"),
    ("ys = []\nif MAY:\n    ys.append(torch.zeros(2, 3))", "ys[0]", "(2, 3)"),
    ("ys = [torch.zeros(2, 3)]\nys.extend(x.view(4, 3) for x in xs)", "ys[-1]", "(?, 3)"),
    ("for i in range(len(xs)):\n    y = xs[i]\n    xs[i] = y.view(2, 3)", "xs[0]", "(2, 3)"),
    ("ys = [x.view(2, 3) for x in xs if MAY]", "ys[0]", "(2, 3)"),
    ("ys = [x.view(2, 3) for x in xs]", "ys[1:][0]", "(2, 3)"),
    ("ys = list(maps.values())\nys = [y.view(2, 3) for y in ys]", "ys[-1]", "(2, 3)"),
    ("found = {}\nfor name, one in maps.items():\n    found[name] = one.view(2, 3)", "found['a']", "(2, 3)"),
    ("found = {name: one.view(2, 3) for name, one in maps.items()}", "found['a']", "(2, 3)"),
    ("one = targets[0]\none['a'] = one['b'].view(2, 3)", "one['a']", "(2, 3)"),
    ("ys = [y.view(2, 3) for x, y in zip(xs, maps.values())]", "ys[0]", "(2, 3)"),
    ("ys = [y.view(2, 3) for at, y in enumerate(xs)]", "ys[0]", "(2, 3)"),
    (
        "rows = [torch.zeros(2, 3), torch.zeros(4, 3)]\nall = []\nfor x in xs:\n    all.append(list(rows))",
        "cat(all[0])",
        "(6, 3)",
    ),
    ("all = []\nfor x in xs:\n    all.append({'a': x.view(2, 3)})", "all[0]['a']", "(2, 3)"),
    ("places = torch.where(xs[0] > 0)[0]", "places", "(nonzero,)"),
    ("h, w = pairs[0]", "torch.zeros(h, w, 3)", "(pairs, pairs, 3)"),
    ("rows = xs[0].view(-1, 4)", "rows.unbind(0)[0]", "(4,)"),
    ("rows = xs[0].view(-1, 4)\na, b = rows", "a", "(4,)"),
    ("rows = xs[0].view(-1, 4)", "[row.view(2, 2) for row in rows][0]", "(2, 2)"),
]
OPEN = [
    ("ys = [x.view(2, 3) for x in xs]\nys.append(input())", "ys[0]"),
    ("ys = [x.view(2, 3) for x in xs]\ninput(ys)", "ys[0]"),
    ("ys = [x.view(2, 3) for x in xs]\nys[0:1] = maps", "ys[0]"),
    ("ys = [x.view(2, 3) for x in xs]", "len(ys) == 2"),
    ("for i in range(len(xs)):\n    if MAY:\n        xs[i] = xs[i].view(2, 3)", "xs[0].dim() == 2"),
    ("for i in range(len(xs)):\n    if MAY:\n        continue\n    xs[i] = xs[i].view(2, 3)", "xs[0].dim() == 2"),
    ("", "xs[0].shape == xs[1].shape"),
    ("", "pairs[0][0] == pairs[1][0]"),
    ("", "pairs == []"),
]
QUIET = [
    "return cat([xs[0], xs[1]]), stack(xs).view(4, 5), xs[3] + xs[5]",
    "a, b, c = xs\nreturn a @ b",
    "size, *rest = pairs\nreturn torch.zeros(size) + torch.zeros(rest[0])",
    "ys = []\nfor x in xs:\n    ys.append(x.view(2, 3))\nys[0] = torch.zeros(3, 2)\nreturn ys[0] @ torch.zeros(2, 4)",
    "if len(xs) == 1:\n    return xs[0]\nreturn cat(xs).view(2, len(xs), -1)",
]


def checked(body: str, folder: Path) -> list[str]:
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.indent(body, "    ") + "\n")
    return [one.message for one in check([path])]


@pytest.mark.parametrize(("before", "shown", "value"), KNOWN)
def test_what_is_known(before: str, shown: str, value: str, tmp_path: Path) -> None:
    (only,) = checked(f"{before}\nreveal_shape({shown})", tmp_path)
    assert only[only.index("(") :].startswith(value)


@pytest.mark.parametrize(("before", "shown"), OPEN)
def test_unknown_items(before: str, shown: str, tmp_path: Path) -> None:
    assert checked(f"{before}\nreveal_shape({shown})", tmp_path)[-1].startswith("unknown")


@pytest.mark.parametrize("body", QUIET)
def test_nothing_is_found(body: str, tmp_path: Path) -> None:
    assert checked(body, tmp_path) == []


def test_a_type_that_the_body_contradicts_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "def sizes(v: tuple[int, int, int, list[tuple[int, int, int]]]) -> None:\n"
        "    if not isinstance(v, list):\n        v = [v]\n"
        "    for one in v:\n        frames, height, width = one\n"
    )
    assert check([path]) == []
