"""Writes `shapecheck/ops/family_index.py` from what the families register.

python -m tests.ops.family_index
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from textwrap import wrap

from shapecheck.ops import family_index, registry
from shapecheck.ops.families import load
from shapecheck.ops.traits import Trait

FILE = Path(family_index.__file__)
_HEAD = '''\
"""The names that each family registers, and those with traits, so that a program imports only the families it needs.

Written by `python -m tests.ops.family_index`; `tests/ops/test_family_index.py` fails if it is out of date.
"""

from __future__ import annotations
'''
_WIDTH = 120


def expected() -> str:
    """The text of the file, from a process that has not imported a family yet."""
    command = [sys.executable, "-m", "tests.ops.family_index", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _text() -> str:
    registry.TABLE = table = _Table()
    load()
    traits: dict[str, list[str]] = defaultdict(list)
    for name, entry in table.items():
        if entry.traits:
            traits[" ".join(one.name or "" for one in Trait if one in entry.traits)].append(name)
    rows = (*_table("NAMES_OF_FAMILIES", table.families), "", *_table("NAMES_WITH_TRAITS", traits), "")
    return "\n".join((_HEAD, *rows))


class _Table(dict[str, registry.Entry]):
    """Notes which family registers a name: its rule may be made by another one."""

    def __init__(self) -> None:
        super().__init__()
        self.families: dict[str, list[str]] = defaultdict(list)

    def __setitem__(self, name: str, entry: registry.Entry) -> None:
        self.families[_imported_module()].append(name)
        super().__setitem__(name, entry)


def _imported_module() -> str:
    """The family whose import is under way."""
    frame = sys._getframe()
    while frame.f_code.co_name != "<module>":
        assert frame.f_back is not None
        frame = frame.f_back
    name: str = frame.f_globals["__name__"]
    return name.removeprefix("shapecheck.ops.")


def _table(name: str, rows: dict[str, list[str]]) -> Iterable[str]:
    yield f"{name} = {{"
    for key, names in sorted(rows.items()):
        lines = wrap(" ".join(sorted(names)), _WIDTH - 8, break_long_words=False, break_on_hyphens=False)
        if len(lines) == 1 and len(key) + len(lines[0]) < _WIDTH - 12:
            yield f'    "{key}": "{lines[0]}",'
        else:
            yield from (f'    "{key}": """', *(f"        {line}" for line in lines), '    """,')
    yield "}"


if __name__ == "__main__":
    if sys.argv[1:] == ["-"]:
        sys.stdout.write(_text())
    else:
        FILE.write_text(_text())
