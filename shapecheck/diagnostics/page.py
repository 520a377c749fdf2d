"""The page about a diagnostic code: a file of `docs/codes`, which the wheel holds as `pages` beside this module."""

from __future__ import annotations

from pathlib import Path

from shapecheck.diagnostics.codes import Code

_FOLDERS = (Path(__file__).with_name("pages"), Path(__file__).parents[2] / "docs" / "codes")
"""Where the pages are when shapecheck is installed, and in a checkout."""


def page(code: Code) -> str:
    """The page in Markdown; where a packager left the pages out, the one line of the table."""
    for folder in _FOLDERS:
        file = folder / f"{code.name}.md"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return f"# {code.name}\n\n{code.summary}. Severity: {code.severity.value}.\n"
