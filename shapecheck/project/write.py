"""Writes a source file atomically: at every moment it contains its old bytes or its new ones.

The new bytes are written to a temporary file next to the old one, which then replaces it. The process may be killed at
any point. Surviving a power cut would need an fsync per file, too expensive when version control has a copy.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.source import SourceError, SourceFile, reason

_LEFTOVER = lazy_pattern(r"\.shapecheck-(\d+)-[0-9a-f]{8}\.tmp")


def write_source(source: SourceFile, text: str) -> None:
    """Write `text` to the file of `source`; raise SourceError and leave the file unchanged if that fails.

    A symbolic link is followed. Permissions are kept, and so is the owner if we may set it.
    """
    target = Path(os.path.realpath(source.path))
    try:
        new = source.encode(text)
    except UnicodeEncodeError as error:
        raise SourceError(f"cannot write: the fixed text cannot be encoded in {source.encoding}") from error
    try:
        if target.read_bytes() != source.raw:
            raise SourceError("cannot write: the file has changed since it was read")
        if not os.access(target, os.W_OK):
            raise SourceError("cannot write: the file is read-only")
        _replace(target, new)
    except OSError as error:
        raise SourceError(f"cannot write: {reason(error)}") from error


def write_whole(target: Path, content: bytes) -> None:
    """Write a new file or replace one; raise SourceError and leave an existing file unchanged if that fails."""
    target = Path(os.path.realpath(target))
    try:
        _replace(target, content)
    except OSError as error:
        raise SourceError(f"cannot write: {reason(error)}") from error


def is_leftover(name: str) -> bool:
    """Whether a file name is that of one of our temporary files."""
    return name.startswith(".shapecheck-") and _LEFTOVER.fullmatch(name) is not None


def remove_leftovers(paths: Iterable[Path]) -> None:
    """Delete temporary files whose process has ended; those of a current run are kept."""
    for path in paths:
        match = _LEFTOVER.fullmatch(path.name)
        if match and not _is_alive(int(match[1])):
            with suppress(OSError):
                path.unlink()


def _replace(target: Path, content: bytes) -> None:
    temporary = target.with_name(f".shapecheck-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(content)
        _keep_permissions(target, temporary)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _keep_permissions(target: Path, temporary: Path) -> None:
    try:
        old, new = target.stat(), temporary.stat()
    except FileNotFoundError:
        return
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid) and hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)
    temporary.chmod(old.st_mode & 0o7777)  # after chown, which clears the set-id bits


def _is_alive(pid: int) -> bool:
    if os.name == "nt":
        return False  # Windows does not delete a file that is in use, which has the same effect
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
