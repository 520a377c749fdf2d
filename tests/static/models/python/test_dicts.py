"""Dicts whose keys are known: what their methods give, also where a branch left an item open."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

HEAD = "import torch\nfrom shapecheck import reveal_shape\n\nMAY = torch.rand(1) > 0.5\nd = {'a': 1, 'b': 2}\n"

KNOWN = [
    ("d.setdefault('a', 5)", "1"),
    ("d.setdefault('c', 5)\nd['c']", "5"),
    ("d.update(c=3)\nd['c']", "3"),
    ("d.update({'a': 7}, c=3)\nd['a'] + d['c']", "10"),
    ("d.update([('a', 4)])\nd['a']", "4"),
    ("d.pop('a') + d.get('a', 10)", "11"),
    ("c = d.copy()\nc['a'] = 9\nd['a']", "1"),
    ("dict(d, a=4)['a']", "4"),
    ("{**d, 'b': 8}['b']", "8"),
    ("import types\nn = types.SimpleNamespace(**d)\nvars(n).pop('a')\nlen(vars(n))", "1"),
    ("'a' in d", "True"),
    ("'z' not in d", "True"),
    ("len(d)", "2"),
    ("if MAY:\n    d['c'] = 3\nd['c']", "3"),
    ("if MAY:\n    d['c'] = 3\nd['a']", "1"),
    ("if MAY:\n    d['c'] = 3\nd.get('c', 4)", "3 or 4"),
    ("if MAY:\n    d['c'] = 3\nd.get('c')", "3 or None"),
    ("if MAY:\n    d['c'] = 3\nd.setdefault('c', 4)\nd['c']", "3 or 4"),
    ("if MAY:\n    d['a'] = 3\nd['a']", "3 or 1"),
    ("if MAY:\n    del d['a']\nd['b']", "2"),
    ("c = {}\nif MAY:\n    c['a'] = 3\nd.update(c)\nd['a']", "1 or 3"),
    ("d[input()] = 3\nd['a']", "1 or 3"),
    ("d[input()] = 3\nd['a'] = 7\nd['a']", "7"),
    ("c = {}\nif MAY:\n    c['a'] = 3\n{**d, **c}['a']", "1 or 3"),
]
OPEN = [
    "d[input()] = 3\nlen(d) > 2",
    "d[input()] = 3\n'z' in d",
    "if MAY:\n    d['c'] = 3\n'c' in d",
    "if MAY:\n    d['c'] = 3\nlen(d)",
    "if MAY:\n    d['c'] = 3\nlist(d)",
    "if MAY:\n    d['c'] = 3\nd.values()",
    "c = {}\nif MAY:\n    c['a'] = 3\nbool(c)",
    "d.clear()\nd['a']",
]


def shown(tmp_path: Path, program: str) -> str:
    *before, last = program.splitlines()
    path = tmp_path / "program.py"
    path.write_text("\n".join([HEAD, *before, f"reveal_shape({last})"]))
    (only,) = check([path])
    return only.message


@pytest.mark.parametrize(("program", "value"), KNOWN)
def test_what_is_known(program: str, value: str, tmp_path: Path) -> None:
    assert shown(tmp_path, program) == value


@pytest.mark.parametrize("program", OPEN)
def test_what_is_open(program: str, tmp_path: Path) -> None:
    assert shown(tmp_path, program).startswith("unknown")
