"""Writes `shapecheck/ops/family_index.py` from what the families register.

python -m tests.ops.family_index
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from textwrap import wrap

from shapecheck.ops import family_index
from shapecheck.ops.families import load
from shapecheck.ops.registry import TABLE
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
    """The text of the file."""
    load()
    families: dict[str, list[str]] = defaultdict(list)
    traits: dict[str, list[str]] = defaultdict(list)
    for name, entry in TABLE.items():
        families[entry.function.__module__.removeprefix("shapecheck.ops.")].append(name)
        if entry.traits:
            traits[" ".join(one.name or "" for one in Trait if one in entry.traits)].append(name)
    return "\n".join((_HEAD, *_table("NAMES_OF_FAMILIES", families), "", *_table("NAMES_WITH_TRAITS", traits), ""))


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
    FILE.write_text(expected())
