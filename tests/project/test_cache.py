"""What of earlier findings still stands: what was read for them must be read the same now."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.project.cache import Cache, CacheContents
from shapecheck.project.outcomes import FileOutcome
from shapecheck.project.reads import FileRead, digest
from shapecheck.static.entry.checker import Checker

TEXTS = {"first.py": "import second\n", "second.py": "import third\n", "third.py": "import second\n", "alone.py": ""}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return sorted(tmp_path / name for name in TEXTS)


def known(files: list[Path]) -> CacheContents:
    cache, checker = Cache(CacheContents(), files, []), Checker(files)
    for path in files:
        cache.add(checker.outcome(path, ()))
    return cache.known()


def standing(before: CacheContents, files: list[Path]) -> set[str]:
    cache = Cache(before, files, [])
    return {path.name for path in files if cache.outcome(path) is not None}


@pytest.mark.parametrize(
    ("edited", "left"),
    [
        ("first.py", {"second.py", "third.py", "alone.py"}),
        ("second.py", {"alone.py"}),
        ("third.py", {"alone.py"}),
        ("alone.py", {"first.py", "second.py", "third.py"}),
    ],
)
def test_an_edit_takes_with_it_all_that_reaches_it(edited: str, left: set[str], files: list[Path]) -> None:
    before = known(files)
    assert standing(before, files) == set(TEXTS)
    (files[0].parent / edited).write_text("x = 1\n")
    assert standing(before, files) == left


@pytest.mark.parametrize("now", ["x = 1\n", TEXTS["third.py"]])
def test_a_file_that_was_edited_while_it_was_read_is_not_kept(now: str, files: list[Path]) -> None:
    cache = Cache(known(files), files, [])
    second, third = files[2], files[3]
    newer = FileRead(str(third), asked=True, digest=digest(b"x = 1\n"), name="third")
    cache.add(FileOutcome(second, [], reads={str(third): newer}))
    third.write_text(now)
    assert standing(cache.known(), files) == {"alone.py"}


def test_a_link_that_leads_elsewhere_counts(files: list[Path]) -> None:
    folder = files[0].parent
    (folder / "one").mkdir()
    (folder / "two").mkdir()
    for name in ("one", "two"):
        (folder / name / "__init__.py").touch()
    (folder / "linked").symlink_to(folder / "one")
    (folder / "alone.py").write_text("import linked\n")
    before = known(files)
    (folder / "linked").unlink()
    (folder / "linked").symlink_to(folder / "two")
    assert standing(before, files) == {"first.py", "second.py", "third.py"}


def test_what_was_asked_for_counts(files: list[Path]) -> None:
    before = known(files)
    asked = [path for path in files if path.name != "third.py"]
    assert standing(before, asked) == {"alone.py"}
