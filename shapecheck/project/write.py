"""Writes a source file atomically: at every moment it holds its old bytes or its new ones.

The new bytes go to a temporary file beside the old one, whose name it then takes. A process may die at any point
of that; for a power cut it would take an fsync a file, too dear where version control has a copy.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from shapecheck.project.source import SourceError, SourceFile

_LEFTOVER = re.compile(r"\.shapecheck-(\d+)-[0-9a-f]{8}\.tmp")


def write_source(source: SourceFile, text: str) -> None:
    """Write `text` to the file that `source` was read from; raise SourceError, the file untouched, if not.

    A symbolic link stays one: what it leads to is written. Permissions are kept, the owner where we may.
    """
    target = Path(os.path.realpath(source.path))
    try:
        new = source.encode(text)
    except UnicodeEncodeError as error:
        raise SourceError(f"not written: the fixed text cannot be encoded in {source.encoding}") from error
    try:
        if target.read_bytes() != source.raw:
            raise SourceError("not written: the file has changed since it was read")
        if not os.access(target, os.W_OK):
            raise SourceError("not written: the file is read-only")
        _replace(target, new)
    except OSError as error:
        raise SourceError(f"not written: {error.strerror or error}") from error


def write_whole(target: Path, content: bytes) -> None:
    """Write a file that may not be there yet; raise SourceError, what was there untouched, if not."""
    target = Path(os.path.realpath(target))
    try:
        _replace(target, content)
    except OSError as error:
        raise SourceError(f"not written: {error.strerror or error}") from error


def is_leftover(name: str) -> bool:
    """Whether a file's name is that of our temporary files."""
    return name.startswith(".shapecheck-") and _LEFTOVER.fullmatch(name) is not None


def remove_leftovers(paths: Iterable[Path]) -> None:
    """Delete temporary files whose process is gone; those of a run that is still at work stay."""
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
        return False  # there a file that is in use cannot be deleted, which is the same answer
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
