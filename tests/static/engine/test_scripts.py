"""A file with relative imports is not run as a script; most trees need not be searched for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static.engine.loading import Project, _has_relative_imports


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from . import parts", True),
        ("from.parts import x", True),
        ("import os; from .. import x", True),
        ("from \\\n    .parts import x", True),
        ("def f():\n    from ...parts import x", True),
        ("if True:\n    from\t.parts import x", True),
        ("from parts import x", False),
        ('"""A layer from .parts"""\nimport parts', False),
        ("x = 1  # from . import parts", False),
        ("import parts.inner", False),
    ],
)
def test_relative_imports(text: str, found: bool, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(f"{text}\n")
    module = Project([tmp_path]).load(tmp_path / "one.py")
    assert module is not None
    assert _has_relative_imports(module) is found
