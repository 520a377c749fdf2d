"""`python -m docs.site`: makes anew what of the documentation is made from the code and committed."""

from __future__ import annotations

from docs.site.committed import files

if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
