"""Codes of rules, declared in the front matter of their pages, so that a new rule changes no table.

    ---
    severity: warning
    summary: "a size that is not a multiple of 8 wastes tensor cores"
    reported: check, when asked
    ---

Reading the pages takes a few milliseconds; importing the rules would import the interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shapecheck.diagnostics.model import Severity

FOLDERS = (Path(__file__).with_name("pages"), Path(__file__).parents[2] / "docs" / "codes")
"""The directory of the pages in an installation, and in a checkout."""
_FENCE = "---\n"


@dataclass(frozen=True, slots=True)
class Code:
    """A diagnostic code: its kebab-case name, default severity and one-line summary."""

    name: str
    severity: Severity
    summary: str
    default: bool = True
    """Whether it is reported without being selected by name."""
    guarded: bool = False
    """Whether guards report it, too."""


def declared() -> Iterator[Code]:
    """The codes whose pages declare them, by name."""
    folder = next((folder for folder in FOLDERS if folder.is_dir()), None)
    for path in sorted(folder.glob("*.md")) if folder is not None else ():
        text = path.read_text(encoding="utf-8")
        if text.startswith(_FENCE):
            yield _code(path.stem, dict(map(_field, text.split(_FENCE, 2)[1].splitlines())))


def body(page: str) -> str:
    """A page without its front matter."""
    return page.split(_FENCE, 2)[2].lstrip("\n") if page.startswith(_FENCE) else page


def _field(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip(), value.strip().strip('"')


def _code(name: str, fields: dict[str, str]) -> Code:
    reported = {one.strip() for one in fields["reported"].split(",")}
    return Code(
        name, Severity(fields["severity"]), fields["summary"], "when asked" not in reported, "guards" in reported
    )
