"""The page about a diagnostic code: a file of `docs/codes`, which the wheel contains as `pages` next to this module."""

from __future__ import annotations

from shapecheck.diagnostics import declared


def page(code: declared.Code) -> str:
    """The page in Markdown; the summary if a packager omitted the pages."""
    for folder in declared.FOLDERS:
        file = folder / f"{code.name}.md"
        if file.is_file():
            return declared.body(file.read_text(encoding="utf-8"))
    return f"# {code.name}\n\n{code.summary}. Severity: {code.severity.value}.\n"
