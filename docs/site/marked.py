"""Generated parts of a page, between `<!-- made: NAME -->` and `<!-- /made -->`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

_PART = re.compile(r"(?P<open><!-- made: (?P<name>[\w. -]+) -->\n)(?P<made>.*?)(?P<close><!-- /made -->)", re.DOTALL)


def with_parts(page: str, makers: Mapping[str, Callable[[], str]]) -> str:
    """The page with each marked part regenerated; KeyError for an unknown name."""
    return _PART.sub(lambda part: f"{part['open']}\n{makers[part['name']]()}\n{part['close']}", page)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown, with the pipes in its cells escaped."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in (tuple(head), *rows)]
    lines.insert(1, "|" + "---|" * lines[0].count(" | ") + "---|\n")
    return "".join(lines)
