"""Imports of packages that a repository also holds as vendored sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.project.importing import ImportFinder


@pytest.mark.parametrize(
    ("top", "importer", "is_found"),
    [
        ("third_party", "app/main.py", False),
        ("third_party", "third_party/kernels/other/use.py", True),
        ("libraries", "app/main.py", True),
    ],
)
def test_vendored_sources_serve_their_own_code(tmp_path: Path, top: str, importer: str, is_found: bool) -> None:
    package = tmp_path / top / "python" / "kernels"
    for folder in (package, tmp_path / "app", (tmp_path / importer).parent):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()
    finder = ImportFinder([tmp_path], [package, tmp_path / "app", (tmp_path / importer).parent])
    found = finder.find(str(tmp_path / importer), "kernels", 0, is_script=False)
    expected = str(package / "__init__.py")
    assert (found == expected) is is_found
