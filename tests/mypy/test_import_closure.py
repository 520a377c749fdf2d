"""What a file reaches, without parsing: at least what the engine loads, and the digest hangs on all of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shapecheck.mypy.components import components
from shapecheck.mypy.import_closure import ImportClosures
from shapecheck.mypy.imported_names import imported_names
from shapecheck.project.files import find_files
from shapecheck.static.entry.checker import Checker

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a", {(0, "a")}),
        ("import a.b as c, d", {(0, "a"), (0, "a.b"), (0, "as"), (0, "c"), (0, "d")}),
        ("from a import b", {(0, "a"), (0, "a.b")}),
        ("from . import b", {(1, ""), (1, "b")}),
        ("from ..a.b import c", {(2, "a.b"), (2, "a.b.c")}),
        ("from .a import *", {(1, "a")}),
        ("from a import (  # ) not yet\n    b,\n    c,\n)", {(0, "a"), (0, "a.b"), (0, "a.c")}),
        ("from a \\\n    import b", {(0, "a"), (0, "a.b")}),
        ("from a import b, \\\n    c", {(0, "a"), (0, "a.b"), (0, "a.c")}),
        ("try: import a\nexcept ImportError: pass", {(0, "a")}),
        ("def f():\n\tfrom a import b; x = 1", {(0, "a"), (0, "a.b")}),
        ("x = 1; import a", {(0, "a")}),
        ("import torch\nfrom torch import nn", set()),
        ("important = 1\nx = __import__('a')\n# import b", set()),
    ],
)
def test_imported_names(text: str, names: set[tuple[int, str]]) -> None:
    assert set(imported_names(text.encode())) == names


def test_components_come_after_what_they_depend_on() -> None:
    graph = {"a": "b", "b": "cd", "c": "ba", "d": "e", "e": "", "f": "a"}
    done: dict[str, int] = {}
    found = []
    for start in graph:
        for members in components(start, graph.__getitem__, done) if start not in done else ():
            done.update(dict.fromkeys(members, len(found)))
            found.append(set(members))
    assert found == [{"e"}, {"d"}, {"a", "b", "c"}, {"f"}]


def test_the_engine_loads_nothing_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for path in find_files([ROOT / "examples", ROOT / "tests" / "mypy"]).files:
        checker = Checker((), [ROOT])
        checker.findings(path, ())
        loaded = {one.path for one in checker.project._loaded.values() if one is not None}
        reach = ImportClosures([ROOT])
        reach.of(str(path))
        assert {str(one) for one in loaded} <= set(reach._reached), path


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """Three files in a row, the last two in a circle."""
    (tmp_path / "first.py").write_text("import second")
    (tmp_path / "second.py").write_text("from third import x")
    (tmp_path / "third.py").write_text("import torch, second")
    return tmp_path


def test_any_file_on_the_way_changes_the_digest(chain: Path) -> None:
    reach = ImportClosures([chain])
    before = reach.of(str(chain / "first.py"))
    assert before.has_tensors
    for name in ("first.py", "second.py", "third.py"):
        with (chain / name).open("a") as stream:
            stream.write("\n# more")
        reach.refresh()
        after = reach.of(str(chain / "first.py"))
        assert after.digest != before.digest, name
        before = after


def test_a_file_that_comes_or_goes_changes_the_digest(chain: Path) -> None:
    reach = ImportClosures([chain])
    whole = reach.of(str(chain / "first.py"))
    (chain / "third.py").unlink()
    reach.refresh()
    less = reach.of(str(chain / "first.py"))
    assert less.digest != whole.digest
    assert not less.has_tensors


def test_nothing_else_changes_it(chain: Path, tmp_path: Path) -> None:
    reach = ImportClosures([chain])
    before = reach.of(str(chain / "first.py"))
    (chain / "other.py").write_text("import first")
    os.utime(chain / "third.py", (1, 1))
    reach.refresh()
    assert reach.of(str(chain / "first.py")) == before
