"""Files that a generator expands into a file next to them. They are not run, so what happens in them is not reported.

The generated file names its template in the first lines: "This file was automatically generated from model.py". It is a
file of the project, and is checked itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from shapecheck.diagnostics import FAILURES, Diagnostic
from shapecheck.lazy_pattern import lazy_pattern

_HEADER = 2048  # bytes
_COMMENT = lazy_pattern(r"^\s*#(.*)$", re.MULTILINE)
_DOCSTRING = lazy_pattern(r"\A(?:\s*(?:#[^\n]*)?\n)*\s*[rRuU]?(\"\"\"|'''|\"|')(.*?)(?:\1|\Z)", re.DOTALL)
_WORDING = lazy_pattern(
    r"(?:\bthis (?:file|module|code|script|source)\b(?:(?!\.\s).){0,60}?"
    r"|\bauto(?:matically)?[\s_-]*|\bcode |@|(?:^|[.:!]\s|\A)\W*)"
    r"(?:re-?)?generated\b(?:(?!\.\s|\bfrom\b).){0,120}\bfrom\b\W*"
    r"(?:(?:the|its|file|template|source|module)\b\W+)*(?P<path>[\w./\\-]+\.py)\b",
    re.IGNORECASE,
)


class Templates:
    """The files that are templates; each directory is read once, when a file in it is looked up."""

    def __init__(self) -> None:
        self._of_directory = cache(_templates_in)

    def __contains__(self, path: Path) -> bool:
        return path.name in self._of_directory(path.parent)

    def without(self, path: Path, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The findings of running one file, except those that are in a template or found by running one.

        That a file cannot be read or parsed is reported in any case.
        """
        found = list(found)
        run_from_template = bool(found) and path in self
        return [
            one for one in found if one.code in FAILURES or not (run_from_template or Path(one.path).absolute() in self)
        ]


def _templates_in(directory: Path) -> frozenset[str]:
    """The names of the files in a directory that another file in it was generated from."""
    try:
        siblings = sorted(directory.glob("*.py"))
    except OSError:
        return frozenset()
    return frozenset(name for one in siblings for name in _sources(_header(one)) if name != one.name)


def _header(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(_HEADER).decode("utf-8", "ignore")
    except OSError:
        return ""


def _sources(header: str) -> Iterator[str]:
    """The names of the files that the comments and the docstring of a header say it was generated from."""
    docstring = _DOCSTRING.match(header)
    comments = "\n".join(_COMMENT.findall(header))
    for text in (comments, docstring[2] if docstring else ""):
        for found in _WORDING.finditer(" ".join(text.split())):
            yield re.split(r"[/\\]", found["path"])[-1]
