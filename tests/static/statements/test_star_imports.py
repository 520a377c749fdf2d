"""`from module import *` binds what the module exports: the names of `__all__`, else its public ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static import check

FIRST = """
class Box:
    def __init__(self, width):
        self.width = width
"""
SECOND = """
class Box:
    def __init__(self, width, height):
        self.width = width

def _area(box):
    return box.width
"""
EXPORTS = "from .first import *\nfrom .second import *\n"

QUIET = {
    "the star import leaves out a name": ('__all__ = ["Other"]\n\nclass Other:\n    pass\n', "Box(1)"),
    "__all__ grows": ('__all__ = ["Other"]\n__all__ += ["_area"]\n\nclass Other:\n    pass\n', "Box(_area(Box(1)))"),
    "__all__ is unknown": ("import os\n\n__all__ = sorted(os.environ)\n", "Box(1)\nBox(1, 2)"),
}
REPORTED = {
    "no __all__": ("", "Box(1)", "wrong-call"),
    "__all__ has the name": ('__all__ = ("Box",)\n', "Box(1)", "wrong-call"),
    "__all__ has a private name": ('__all__ = ["_area"]\n', "_area(Box(1), 2)", "wrong-call"),
    "the name of the first module is still checked": ('__all__ = ["_area"]\n', "Box(1, 2)", "wrong-call"),
}


def _codes(folder: Path, exports: str, calls: str) -> list[str]:
    package = folder / "boxes"
    package.mkdir()
    (package / "first.py").write_text(FIRST)
    (package / "second.py").write_text(SECOND + exports)
    (package / "__init__.py").write_text(EXPORTS)
    program = folder / "program.py"
    program.write_text(f"from boxes import *\nfrom boxes.second import *\n\n{calls}\n")
    return [one.code for one in check([program])]


@pytest.mark.parametrize(("exports", "calls"), QUIET.values(), ids=QUIET)
def test_a_name_that_is_not_exported_keeps_its_value(tmp_path: Path, exports: str, calls: str) -> None:
    assert _codes(tmp_path, exports, calls) == []


@pytest.mark.parametrize(("exports", "calls", "code"), REPORTED.values(), ids=REPORTED)
def test_an_exported_name_is_bound(tmp_path: Path, exports: str, calls: str, code: str) -> None:
    assert _codes(tmp_path, exports, calls) == [code]


def test_a_star_import_loads_the_modules_that_all_names(tmp_path: Path) -> None:
    package = tmp_path / "boxes"
    package.mkdir()
    (package / "first.py").write_text(FIRST)
    (package / "__init__.py").write_text('__all__ = ["first"]\n')
    program = tmp_path / "program.py"
    program.write_text("from boxes import *\n\nfirst.Box(1)\nfirst.Box(1, 2)\n")
    assert [(one.code, one.line) for one in check([program])] == [("wrong-call", 4)]
