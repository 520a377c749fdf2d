"""`python -m docs.site`: regenerates the committed parts of the documentation that come from the code."""

from __future__ import annotations

from docs.site.committed import files

if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
