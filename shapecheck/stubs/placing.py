"""Writes the stub package into a folder, reports its state, and removes it; never touches others' files."""

from __future__ import annotations

import contextlib
import os
import tempfile
from enum import Enum
from pathlib import Path, PurePosixPath

from shapecheck.stubs.interpreter import StubsError
from shapecheck.stubs.package import FOLDER, HEADER, MARKER, MARKER_FILE, StubPackage


class State(Enum):
    """What lies in a folder, against what the command would write."""

    ABSENT = "absent"
    CURRENT = "current"
    STALE = "stale"


def state(package: StubPackage, folder: Path) -> State:
    """Compare the folder's package with `package`; raise StubsError where it is someone else's."""
    root = folder / FOLDER
    ours = _ours(root)
    if not ours:
        return State.ABSENT
    texts = {name: _read(root / name) for name in {*ours, *package.files}}
    return State.CURRENT if texts == package.files else State.STALE


def write(package: StubPackage, folder: Path) -> Path:
    """Write the package under `folder`, each file whole or not at all, and return its root."""
    root = folder / FOLDER
    left_over = set(_ours(root)) - set(package.files)
    for name, text in package.files.items():
        existing = _read(root / name)
        if existing is not None and not existing.startswith(HEADER) and existing != MARKER:
            raise _foreign(root / name)
        if existing != text:
            _write_whole(root / name, text)
    for name in left_over:  # of an earlier torch
        _unlink(root / name)
        _remove_empty((root / name).parent, root)
    return root


def remove(folder: Path, *, keep_folder: bool) -> bool:
    """Remove our files from `folder` and the folders that are empty then (`folder` itself unless it is to be kept).

    False: there was nothing of ours.
    """
    root = folder / FOLDER
    ours = _ours(root)
    for name in ours:
        _unlink(root / name)
        _remove_empty((root / name).parent, root)
    # Whoever put stubs of their own beside ours still needs the marker.
    if ours and _read(root / MARKER_FILE) == MARKER and not _others(root):
        _unlink(root / MARKER_FILE)
    if ours:
        _remove_empty(root, root if keep_folder else folder)
    return bool(ours)


def _ours(root: Path) -> list[PurePosixPath]:
    """The stubs under `root` that carry our header. Raises StubsError where files are there and none of them does."""
    if not root.is_dir():
        return []
    stubs = sorted(path for path in root.rglob("*.pyi") if _is_ours(path))
    if root.is_symlink() or (not stubs and _others(root)):
        raise _foreign(root)
    return [PurePosixPath(path.relative_to(root).as_posix()) for path in stubs]


def _others(root: Path) -> bool:
    """Whether files that we did not write lie under `root`."""
    return any(path.is_file() and path != root / MARKER_FILE and not _is_ours(path) for path in root.rglob("*"))


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(HEADER)) == HEADER.encode()
    except OSError:
        return False


def _foreign(path: Path) -> StubsError:
    return StubsError(f"{path} is not shapecheck's: left as it is (remove it, or give another --dir)")


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise StubsError(f"{path}: cannot be read: {' '.join(str(error).split())}") from error


def _write_whole(path: Path, text: str) -> None:
    """Write beside the file, then rename over it: a reader sees the old text or the new one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(text.encode("utf-8"))
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StubsError(f"{path}: cannot be written: {error.strerror or error}") from error


def _unlink(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise StubsError(f"{path}: cannot be removed: {error.strerror or error}") from error


def _remove_empty(folder: Path, last: Path) -> None:
    """Remove `folder` and its parents up to `last`, as far as they are empty."""
    with contextlib.suppress(OSError):  # not empty, or the working directory: stays
        while True:
            folder.rmdir()
            if folder == last:
                return
            folder = folder.parent
