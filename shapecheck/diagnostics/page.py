"""The page about a diagnostic code: a file of `docs/codes`, which the wheel holds as `pages` beside this module."""

from __future__ import annotations

from shapecheck.diagnostics import declared


def page(code: declared.Code) -> str:
    """The page in Markdown; where a packager left the pages out, the one line of the table."""
    for folder in declared.FOLDERS:
        file = folder / f"{code.name}.md"
        if file.is_file():
            return declared.body(file.read_text(encoding="utf-8"))
    return f"# {code.name}\n\n{code.summary}. Severity: {code.severity.value}.\n"
