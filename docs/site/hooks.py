"""Hooks of mkdocs: pages from outside docs/, links to them, the pages of codes, and the playground."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, InclusionLevel

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_ROOT = Path(__file__).resolve().parents[2]
_OUTSIDE = ("CONTRIBUTING.md", "CHANGELOG.md")
"""Pages in the root of the repository that are part of the site."""
_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")
_CELL = re.compile(r"<td>.*?</td>", re.DOTALL)
_PLAYGROUND = _ROOT / "editors/playground/dist"
_PLAYGROUND_MARK = "<!-- playground -->"
_PLAYGROUND_LINK = '<p><a class="md-button md-button--primary" href="app/">Open the playground</a></p>'
_NO_PLAYGROUND = "<p><em>This copy of the documentation was built without the playground.</em></p>"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/. The pages of codes are linked from their table, not from the navigation."""
    for name in _OUTSIDE:
        files.append(File.generated(config, name, content=(_ROOT / name).read_text(encoding="utf-8")))
    for file in files.documentation_pages():
        if file.src_uri.startswith("codes/"):
            file.inclusion = InclusionLevel.NOT_IN_NAV
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Redirect links across the border of docs/ to the pages of the site; if there is none, keep only the text."""
    place = Path(page.file.src_uri)
    directory = _ROOT if place.name in _OUTSIDE else _ROOT / "docs" / place.parent

    def redirected(link: re.Match[str]) -> str:
        found = (directory / link["target"]).resolve().relative_to(_ROOT)
        inside = found.relative_to("docs") if found.parts[0] == "docs" else found
        if files.get_file_from_path(inside.as_posix()) is None:
            return link["text"]
        up = "../" * len(place.parent.parts)
        return f"[{link['text']}]({up}{inside.as_posix()}{link['anchor'] or ''})"

    return _LINK.sub(redirected, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Show `\\|` in the code of a table cell as a pipe, as GitHub does, and link the playground if it is built."""
    html = html.replace(_PLAYGROUND_MARK, _PLAYGROUND_LINK if _PLAYGROUND.is_dir() else _NO_PLAYGROUND)
    return _CELL.sub(lambda cell: cell[0].replace("\\|", "|"), html)


def on_post_build(config: MkDocsConfig) -> None:
    """Copy the playground into the site, next to its page. Its build takes npm and is a step of its own."""
    if _PLAYGROUND.is_dir():
        shutil.copytree(_PLAYGROUND, Path(config.site_dir) / "playground/app", dirs_exist_ok=True)
