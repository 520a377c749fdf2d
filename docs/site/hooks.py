"""Hooks of mkdocs: pages from outside docs/, their links, and the pages of codes, which the table of codes leads to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, InclusionLevel

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_ROOT = Path(__file__).resolve().parents[2]
_OUTSIDE = ("CONTRIBUTING.md", "CHANGELOG.md")
"""Pages at the top of the repository that the site shows too."""
_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")
_CELL = re.compile(r"<td>.*?</td>", re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside; those of codes are reached by their table, not by the navigation."""
    for name in _OUTSIDE:
        files.append(File.generated(config, name, content=(_ROOT / name).read_text(encoding="utf-8")))
    for file in files.documentation_pages():
        if file.src_uri.startswith("codes/"):
            file.inclusion = InclusionLevel.NOT_IN_NAV
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links across the border of docs/ to where the site has these pages; leave the text where it has none."""
    place = Path(page.file.src_uri)
    folder = _ROOT if place.name in _OUTSIDE else _ROOT / "docs" / place.parent

    def led(link: re.Match[str]) -> str:
        found = (folder / link["target"]).resolve().relative_to(_ROOT)
        inside = found.relative_to("docs") if found.parts[0] == "docs" else found
        if files.get_file_from_path(inside.as_posix()) is None:
            return link["text"]
        up = "../" * len(place.parent.parts)
        return f"[{link['text']}]({up}{inside.as_posix()}{link['anchor'] or ''})"

    return _LINK.sub(led, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """In the code of a table's cell show `\\|` as the pipe that it is on GitHub."""
    return _CELL.sub(lambda cell: cell[0].replace("\\|", "|"), html)
