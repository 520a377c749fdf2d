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
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.diagnostics.model import Severity

if TYPE_CHECKING:
    from importlib.abc import Traversable

FOLDERS = (Path(__file__).with_name("pages"), Path(__file__).parents[2] / "docs" / "codes")
"""The directory of the pages in an installation, and in a checkout."""
_FENCE = "---\n"


class Code(NamedTuple):
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
    for name, text in sorted(_pages()):
        if text.startswith(_FENCE):
            yield _code(name, dict(map(_field, text.split(_FENCE, 2)[1].splitlines())))


def _pages() -> Iterator[tuple[str, str]]:
    """The name and the text of each page, also where the package is in an archive."""
    folder: Path | Traversable | None = next((folder for folder in FOLDERS if folder.is_dir()), None)
    if folder is None:
        from importlib.resources import files  # noqa: PLC0415 - slow to import, and rarely needed

        folder = files(__package__) / "pages"
    if not folder.is_dir():
        raise ImportError(f"shapecheck is incomplete: {FOLDERS[0]} does not exist; install torch-shapecheck again")
    for path in folder.iterdir():
        name, _, suffix = path.name.rpartition(".")
        if suffix == "md":
            yield name, path.read_text(encoding="utf-8")


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
