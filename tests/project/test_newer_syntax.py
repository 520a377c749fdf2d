"""Which Python a line needs, if the running one cannot parse it."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from shapecheck.project.newer_syntax import needed_version
from shapecheck.static import check

NEEDED = {
    "class Registry[T]:": "3.12",
    "def first[T](items: list[T]) -> T:": "3.12",
    "    async def load[T](self) -> T:": "3.12",
    "type Phase = str | None": "3.12",
    "type Pair[T] = tuple[T, T]": "3.12",
    "except* ValueError:": "3.11",
}
PLAIN = [
    "class Registry(T):",
    "type = 3",
    "type(x)[0] = 3",
    'print "loss", loss',
    "except ValueError, error:",
    "def f(x):",
]


@pytest.mark.parametrize("line", NEEDED)
def test_syntax_of_a_newer_python_names_it(line: str) -> None:
    assert needed_version(line, (3, 10)) == NEEDED[line]
    assert not needed_version(line, (3, 14))


@pytest.mark.parametrize("line", PLAIN)
def test_any_other_line_names_none(line: str) -> None:
    assert not needed_version(line, (3, 10))


def test_the_message_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text("type Phase = str | None\n")
    found = [one.message for one in check([path])]
    if sys.version_info >= (3, 12):
        assert ast.parse(path.read_text())
        assert not found
    else:
        running = ".".join(map(str, sys.version_info[:2]))
        assert found == [
            f"cannot parse: invalid syntax; this line needs Python 3.12, and shapecheck runs on Python {running}"
        ]
