from __future__ import annotations

import os
from pathlib import Path

import pytest

from shapecheck.project import files
from shapecheck.project.files import WITH_NOTEBOOKS, FileSearch, PathProblem, find_files
from shapecheck.project.ignore import rules_from_patterns


def _tree(root: Path, *names: str, **texts: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name, text in texts.items():
        (root / name).write_text(text)


def _ignore(folder: Path, *patterns: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("\n".join(patterns) + "\n")


def _names(root: Path, found: FileSearch) -> list[str]:
    return [path.relative_to(root).as_posix() for path in found.files]


def _find(root: Path, *paths: str) -> list[str]:
    return _names(root, find_files([root / path for path in paths or ("",)]))


def test_python_files_in_sorted_order(tmp_path: Path) -> None:
    _tree(tmp_path, "b.py", "a/z.py", "a/b/c.py", "a.py", "stub.pyi", "notes.txt", "c.pyc", "book.ipynb")
    assert _find(tmp_path) == ["a/b/c.py", "a/z.py", "a.py", "b.py"]
    found = find_files([tmp_path], suffixes=WITH_NOTEBOOKS)
    assert _names(tmp_path, found) == ["a/b/c.py", "a/z.py", "a.py", "b.py", "book.ipynb"]


def test_default_excludes(tmp_path: Path) -> None:
    _tree(tmp_path, ".venv/a.py", "x/node_modules/a.py", "build/a.py", "lib/site-packages/a.py", "ok/build.py")
    _tree(tmp_path, "myenv/pyvenv.cfg", "myenv/lib/a.py")
    found = find_files([tmp_path])
    assert _names(tmp_path, found) == ["ok/build.py"]
    assert found.excluded == {files.BY_DEFAULT: 5}


def test_what_tools_keep_for_themselves_is_not_worth_a_word(tmp_path: Path) -> None:
    _tree(tmp_path, ".git/hooks/a.py", "pkg/__pycache__/a.py", ".mypy_cache/a.py", "pkg/a.py")
    found = find_files([tmp_path])
    assert _names(tmp_path, found) == ["pkg/a.py"]
    assert not found.excluded


@pytest.mark.parametrize("named", ["build", "build/a.py", "build/sub", ".venv", "ignored", "notes.txt", "pattern/x.py"])
def test_what_is_named_is_taken(tmp_path: Path, named: str) -> None:
    _tree(
        tmp_path,
        "build/a.py",
        "build/sub/b.py",
        ".venv/pyvenv.cfg",
        ".venv/c.py",
        "ignored/d.py",
        "notes.txt",
    )
    _tree(tmp_path, "pattern/x.py", ".git/HEAD")
    _ignore(tmp_path, "build/", "ignored", "*.txt")
    found = find_files([tmp_path / named], rules_from_patterns(tmp_path, ["pattern/"]))
    assert found.files


def test_gitignore_at_every_level(tmp_path: Path) -> None:
    _tree(
        tmp_path,
        "a.py",
        "skip.py",
        "pkg/a.py",
        "pkg/skip.py",
        "pkg/own.py",
        "out/a.py",
        "pkg/out/a.py",
        "top/a.py",
    )
    _tree(tmp_path, "pkg/top/a.py")
    _ignore(tmp_path, "# comment", "skip.py", "out/", "/top", "!", "")
    _ignore(tmp_path / "pkg", "own.py", "!skip.py")
    found = find_files([tmp_path])
    assert _names(tmp_path, found) == ["a.py", "pkg/a.py", "pkg/skip.py", "pkg/top/a.py"]
    assert found.excluded == {files.BY_GIT: 5}


def test_gitignore_can_take_back_one_file_of_a_folder(tmp_path: Path) -> None:
    _tree(tmp_path, "gen/a.py", "gen/keep.py", "gen/deep/b.py")
    _ignore(tmp_path, "gen/**", "!gen/keep.py")
    assert _find(tmp_path) == ["gen/keep.py"]


def test_gitignore_of_the_folders_above_up_to_the_repository(tmp_path: Path) -> None:
    _tree(tmp_path, "repo/.git/HEAD", "repo/pkg/a.py", "repo/pkg/b.py", "repo/pkg/c.py", "repo/pkg/d.py")
    _ignore(tmp_path, "a.py")
    _ignore(tmp_path / "repo", "b.py")
    (tmp_path / "repo/.git/info").mkdir()
    (tmp_path / "repo/.git/info/exclude").write_text("/pkg/c.py\n")
    assert _find(tmp_path, "repo/pkg") == ["repo/pkg/a.py", "repo/pkg/d.py"]
    assert _find(tmp_path, "repo") == ["repo/pkg/a.py", "repo/pkg/d.py"]


def test_gitignore_can_be_disregarded(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py")
    _ignore(tmp_path, "a.py")
    assert _names(tmp_path, find_files([tmp_path], respect_gitignore=False)) == ["a.py"]


def test_an_ignore_file_of_odd_bytes_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    _tree(tmp_path, "a.py", "b.py")
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\n!\nb.py\n")
    assert _find(tmp_path) == ["a.py"]


def test_exclude_patterns_are_relative_to_their_folder(tmp_path: Path) -> None:
    _tree(tmp_path, "a/x.py", "b/a/x.py", "b/test_x.py")
    found = find_files([tmp_path], rules_from_patterns(tmp_path, ["/a", "test_*.py"]))
    assert _names(tmp_path, found) == ["b/a/x.py"]
    assert found.excluded == {files.BY_PATTERN: 2}


def test_a_folder_whose_name_begins_like_the_base_is_not_below_it(tmp_path: Path) -> None:
    _tree(tmp_path, "pkg/a.py", "pkg2/a.py")
    rules = rules_from_patterns(tmp_path / "pkg", ["*.py"])
    assert _names(tmp_path, find_files([tmp_path], rules)) == ["pkg2/a.py"]


def test_the_same_file_by_two_ways_is_seen_once(tmp_path: Path) -> None:
    _tree(tmp_path, "a/x.py")
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "y.py").symlink_to("a/x.py")
    assert _find(tmp_path, "a", "link", "a/x.py", "y.py", "", "a/../a/x.py") == ["a/x.py"]


def test_links_met_on_the_way_are_counted_not_followed(tmp_path: Path) -> None:
    _tree(tmp_path, "here/a.py", "elsewhere/b.py")
    (tmp_path / "here/loop").symlink_to(".")
    (tmp_path / "here/out").symlink_to("../elsewhere")
    (tmp_path / "here/c.py").symlink_to("../elsewhere/b.py")
    found = find_files([tmp_path / "here"])
    assert _names(tmp_path, found) == ["here/a.py"]
    assert found.excluded == {files.LINK: 3}
    assert not found.problems


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    _tree(tmp_path, "real/a.py")
    (tmp_path / "link").symlink_to("real")
    assert _find(tmp_path, "link") == ["link/a.py"]


def test_missing_and_odd_paths_are_problems(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    os.mkfifo(tmp_path / "pipe")
    _tree(tmp_path, "a.py")
    found = find_files([tmp_path / name for name in ("missing", "circle", "pipe", "a.py", "a.py/below")])
    assert _names(tmp_path, found) == ["a.py"]
    assert [problem.path.name for problem in found.problems] == ["missing", "circle", "pipe", "below"]
    messages = [problem.message for problem in found.problems]
    assert messages[0] == "no such file or directory"
    assert messages[1].startswith("cannot read: ")
    assert messages[2] == "expected a file or directory"
    assert messages[3].startswith("cannot read: ")


def test_a_pipe_that_is_met_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert _find(tmp_path) == []


def test_an_unreadable_folder_is_a_problem_and_the_others_are_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(tmp_path, "a/x.py", "locked/x.py", "z/x.py")
    real = os.scandir

    def scandir(path: str) -> object:  # chmod does not stop root, as which tests may run
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = find_files([tmp_path])
    assert _names(tmp_path, found) == ["a/x.py", "z/x.py"]
    assert found.problems == [PathProblem(tmp_path / "locked", "cannot read: permission denied")]


def test_leftovers_of_killed_runs_are_noticed(tmp_path: Path) -> None:
    _tree(tmp_path, "a/.shapecheck-123-0123abcd.tmp", "a/.shapecheck-x.tmp", "a/b.py")
    found = find_files([tmp_path])
    assert [path.name for path in found.leftovers] == [".shapecheck-123-0123abcd.tmp"]


def test_paths_are_shown_relative_to_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert files.display_path(tmp_path / "a" / "b.py") == str(Path("a/b.py"))
    assert files.display_path(tmp_path.parent / "c.py") == str(tmp_path.parent / "c.py")
