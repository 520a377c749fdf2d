from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shapecheck.project.source import SourceError, SourceFile, reason
from shapecheck.project.write import is_leftover, remove_leftovers, write_source


def _read(path: Path) -> SourceFile:
    return SourceFile.from_bytes(path.read_bytes(), path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "net.py"
    path.write_bytes(b"old\n")
    return path


def test_the_new_text_is_written_and_nothing_is_left_behind(path: Path) -> None:
    write_source(_read(path), "new\n")
    assert path.read_bytes() == b"new\n"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o664, 0o4755])
def test_the_mode_is_kept(path: Path, mode: int) -> None:
    path.chmod(mode)
    write_source(_read(path), "new\n")
    assert path.stat().st_mode & 0o7777 == mode


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(path: Path) -> None:
    os.chown(path, 1234, 1235)
    write_source(_read(path), "new\n")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\xef\xbb\xbfold\r\n", b"\xef\xbb\xbfnew\r\n"),
        (b"# coding: latin-1\n# \xe9 old\n", b"# coding: latin-1\n# \xe9 new\n"),
        (b"old\r\nlast", b"new\r\nlast"),
    ],
)
def test_encoding_mark_and_line_ends_are_kept(path: Path, old: bytes, new: bytes) -> None:
    path.write_bytes(old)
    source = _read(path)
    write_source(source, source.text.replace("old", "new"))
    assert path.read_bytes() == new


def test_a_link_stays_one(path: Path) -> None:
    folder = path.parent / "links"
    folder.mkdir()
    link = folder / "link.py"
    link.symlink_to("../net.py")
    write_source(_read(link), "new\n")
    assert link.is_symlink()
    assert path.read_bytes() == b"new\n"


def _fails(source: SourceFile, text: str = "new\n") -> str:
    with pytest.raises(SourceError) as caught:
        write_source(source, text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_that_has_changed_meanwhile_is_left_alone(path: Path) -> None:
    source = _read(path)
    path.write_bytes(b"mine\n")
    assert "changed since it was read" in _fails(source)
    assert path.read_bytes() == b"mine\n"


def test_a_file_that_is_gone_does_not_come_back(path: Path) -> None:
    source = _read(path)
    path.unlink()
    assert "no such file" in _fails(source)
    assert not path.exists()


def test_text_that_the_encoding_does_not_have(path: Path) -> None:
    path.write_bytes(b"# coding: latin-1\n")
    assert "cannot be encoded in iso-8859-1" in _fails(_read(path), "€")
    assert path.read_bytes() == b"# coding: latin-1\n"


def test_a_read_only_file_is_not_replaced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    assert "read-only" in _fails(_read(path))
    assert path.read_bytes() == b"old\n"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("step", ["open", "replace", "chmod"])
def test_a_failed_write_loses_nothing(path: Path, monkeypatch: pytest.MonkeyPatch, number: int, step: str) -> None:
    source = _read(path)

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(Path, step, fail)
        patch.setattr(Path, "read_bytes", lambda _: b"old\n")
        assert reason(OSError(number, os.strerror(number))) in _fails(source)
    assert path.read_bytes() == b"old\n"
    assert list(path.parent.iterdir()) == [path]


def test_an_interrupt_leaves_no_temporary_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    source = _read(path)
    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_source(source, "new\n")
    assert list(path.parent.iterdir()) == [path]


def test_leftovers_are_removed_when_their_process_is_gone(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    dead = tmp_path / f".shapecheck-{gone.pid}-00000000.tmp"
    alive = tmp_path / f".shapecheck-{os.getpid()}-00000000.tmp"
    absurd = tmp_path / f".shapecheck-{10**30}-00000000.tmp"
    other = tmp_path / "notes.tmp"
    every = [dead, alive, absurd, other]
    for path in every:
        path.touch()
    remove_leftovers([*every, tmp_path / ".shapecheck-1-11111111.tmp"])
    assert [path.exists() for path in every] == [False, True, False, True]


@pytest.mark.parametrize("name", [".shapecheck-1-0123abcd.tmp.py", "shapecheck-1-0123abcd.tmp", ".shapecheck-1.tmp"])
def test_other_names_are_not_ours(name: str) -> None:
    assert not is_leftover(name)
