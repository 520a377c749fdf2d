"""The committed files that are generated from the code."""

from __future__ import annotations

from pathlib import Path

from docs.site import ci, codes, commands, configuration, packages
from docs.site.marked import with_parts
from docs.site.picture import picture

DOCS = Path(__file__).resolve().parents[1]
_MAKERS = {
    "all codes": codes.all_codes,
    "codes of check": codes.checked_codes,
    "commands": commands.helps,
    "configuration": configuration.tables,
    "packages": packages.packages_table,
    "contracts": packages.contracts,
}
_PAGES = ("codes.md", "check-reference.md", "command-line.md", "configuration.md", "architecture.md")


def files() -> dict[Path, str]:
    """The text of each, by its path."""
    pages = {DOCS / name: with_parts((DOCS / name).read_text(encoding="utf-8"), _MAKERS) for name in _PAGES}
    snippets = {DOCS / "ci" / name: text for name, text in ci.snippets().items()}
    return {**pages, **snippets, DOCS / "images/imports.svg": picture(packages.rows(), packages.imports())}
