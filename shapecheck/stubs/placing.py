"""Write the stub package into a directory, report its state, and remove it; files of others are never changed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from enum import Enum
from pathlib import Path, PurePosixPath

from shapecheck.stubs.interpreter import StubsError, reason
from shapecheck.stubs.package import DIRECTORY, HEADER, MARKER, MARKER_FILE, StubPackage


class State(Enum):
    """The package in a directory, compared with what the command would write."""

    ABSENT = "missing"
    CURRENT = "current"
    STALE = "out of date"


def state(package: StubPackage, directory: Path) -> State:
    """Compare the package in the directory with `package`; raise StubsError if shapecheck did not write it."""
    root = directory / DIRECTORY
    ours = _ours(root)
    if not ours:
        return State.ABSENT
    texts = {name: _read(root / name) for name in {*ours, *package.files}}
    return State.CURRENT if texts == package.files else State.STALE


def write(package: StubPackage, directory: Path) -> Path:
    """Write the package into `directory`, each file atomically, and return its root."""
    root = directory / DIRECTORY
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


def remove(directory: Path, *, keep_directory: bool) -> bool:
    """Remove our files from `directory`, and the directories that are then empty (`directory` only if not kept).

    Return whether there were any.
    """
    root = directory / DIRECTORY
    ours = _ours(root)
    for name in ours:
        _unlink(root / name)
        _remove_empty((root / name).parent, root)
    # Users who added stubs next to ours still need the marker.
    if ours and _read(root / MARKER_FILE) == MARKER and not _others(root):
        _unlink(root / MARKER_FILE)
    if ours:
        _remove_empty(root, root if keep_directory else directory)
    return bool(ours)


def _ours(root: Path) -> list[PurePosixPath]:
    """The stubs under `root` that carry our header. Raises StubsError if there are files and none of them does."""
    if not root.is_dir():
        return []
    stubs = sorted(path for path in root.rglob("*.pyi") if _is_ours(path))
    if root.is_symlink() or (not stubs and _others(root)):
        raise _foreign(root)
    return [PurePosixPath(path.relative_to(root).as_posix()) for path in stubs]


def _others(root: Path) -> bool:
    """Whether `root` contains files that we did not write."""
    return any(path.is_file() and path != root / MARKER_FILE and not _is_ours(path) for path in root.rglob("*"))


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(HEADER)) == HEADER.encode()
    except OSError:
        return False


def _foreign(path: Path) -> StubsError:
    return StubsError(f"{path}: not written by shapecheck; remove it, or use another --dir")


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise StubsError(f"{path}: cannot read: {reason(error)}") from error


def _write_whole(path: Path, text: str) -> None:
    """Write next to the file, then rename: a reader sees the old text or the new one."""
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
        raise StubsError(f"{path}: cannot write: {reason(error)}") from error


def _unlink(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise StubsError(f"{path}: cannot remove: {reason(error)}") from error


def _remove_empty(directory: Path, last: Path) -> None:
    """Remove `directory` and its parents up to `last`, as long as they are empty."""
    with contextlib.suppress(OSError):  # not empty, or the working directory
        while True:
            directory.rmdir()
            if directory == last:
                return
            directory = directory.parent
