"""The import closure of a file: the sources of all project files that its findings can depend on.

mypy requests this for every module at every start, so nothing is parsed: a search of the source finds the names that
may be imported, and the file system shows which of them are project files. It may find too many, never too few.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from shapecheck.mypy.components import components
from shapecheck.mypy.imported_names import imported_names
from shapecheck.mypy.unchanged import Record, directory_record, file_record
from shapecheck.project.modules import Modules, above

_TENSORS = (b"torch", b"jaxtyping")
"""If no file that is reached mentions one of these, there are no tensors."""


@dataclass(frozen=True, slots=True)
class _File:
    """One source: its digest, whether it may use tensors, and what it may import, as levels and dotted names."""

    digest: str
    mentions_tensors: bool
    names: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ImportClosure:
    """All files that a file reaches, including itself: a digest of them, and whether any of them mentions tensors."""

    digest: str
    has_tensors: bool


class ImportClosures:
    """Follows imports from file to file, and caches what it reads until `refresh`."""

    def __init__(self, roots: Sequence[str | Path]) -> None:
        self._here = os.path.join(os.getcwd(), "")  # noqa: PTH109, PTH118
        self._roots = [os.path.join(root, *tail) for root in roots for tail in ((), ("src",))]  # noqa: PTH118
        self._read: dict[str, tuple[tuple[int, int], _File]] = {}
        self._files: dict[str, _File | None] = {}
        self._next: dict[str, list[str]] = {}
        self._found: dict[tuple[str, int, str], list[str]] = {}
        self._modules = Modules(self._is_file)
        self._listings: dict[str, frozenset[str]] = {}
        self._reached: dict[str, ImportClosure] = {}
        self._ranks: dict[str, int] = {}
        self._records: list[Record] = []

    def new_records(self) -> list[Record]:
        """What was read since the last call, as `unchanged` compares it."""
        found, self._records = self._records, []
        return found

    def rank(self, path: str) -> int:
        """A file has a higher rank than those that it imports."""
        self.of(path)
        return self._ranks[path]

    def refresh(self) -> None:
        """Reads the file system again from now on; sources are read again if their time or size has changed."""
        self._files.clear()
        self._next.clear()
        self._found.clear()
        self._modules = Modules(self._is_file)
        self._listings.clear()
        self._reached.clear()

    def of(self, path: str) -> ImportClosure:
        """What a file reaches, by its absolute path."""
        if path not in self._reached:
            for members in components(path, self._imports, self._reached):
                reached = self._together(members)
                for one in members:
                    self._ranks.setdefault(one, len(self._ranks))
                self._reached.update(dict.fromkeys(members, reached))
        return self._reached[path]

    def _together(self, members: list[str]) -> ImportClosure:
        """What files reach that import one another; all their other imports are known."""
        files = [(one, file) for one in members if (file := self._file(one)) is not None]
        inside = set(members)
        beyond = {self._reached[one] for one, _ in files for one in self._imports(one) if one not in inside}
        parts = [self._name(one) + file.digest for one, file in files] + [one.digest for one in beyond]
        return ImportClosure(
            digest=_digest("\n".join(sorted(parts)).encode("utf-8", "surrogateescape")),
            has_tensors=any(file.mentions_tensors for _, file in files) or any(one.has_tensors for one in beyond),
        )

    def _name(self, path: str) -> str:
        """What stays the same in another checkout of the project."""
        return path[len(self._here) :] if path.startswith(self._here) else path

    def _file(self, path: str) -> _File | None:
        if path not in self._files:
            self._files[path] = self._read_again(path)
        return self._files[path]

    def _read_again(self, path: str) -> _File | None:
        try:
            status = os.stat(path)  # noqa: PTH116
            state = (status.st_mtime_ns, status.st_size)
            known = self._read.get(path)
            if known is None or known[0] != state:
                with open(path, "rb") as stream:  # noqa: PTH123
                    text = stream.read()
                mentions = any(word in text for word in _TENSORS)
                known = self._read[path] = (state, _File(_digest(text), mentions, tuple(set(imported_names(text)))))
        except OSError:
            self._records.append(file_record(path))
            return None
        self._records.append(("file", path, *state))
        return known[1]

    # -- from names to files; strings and listings, for there are many

    def _imports(self, path: str) -> list[str]:
        if path not in self._next:
            file = self._file(path)
            folder = os.path.dirname(path)  # noqa: PTH120
            names = () if file is None else file.names
            if os.path.basename(path).startswith("test"):  # noqa: PTH119
                names = (*names, (1, "conftest"))  # its fixtures apply without an import
            self._next[path] = [one for level, dotted in names for one in self._candidates(folder, level, dotted)]
        return self._next[path]

    def _candidates(self, folder: str, level: int, dotted: str) -> list[str]:
        key = (folder, level, dotted)
        if key not in self._found:
            homes = [above(folder, level)] if level else [self._modules.root(folder), *self._roots, folder]
            known = [home for home in dict.fromkeys(homes) if home is not None and self._may_hold(home, dotted)]
            files = (self._modules.below(home, dotted) for home in known)
            self._found[key] = [path for path in files if path is not None]
        return self._found[key]

    def _may_hold(self, home: str, dotted: str) -> bool:
        """Whether the first part of a name exists here, which in most cases saves the search for the other parts."""
        first = dotted.partition(".")[0]
        names = self._listing(home)
        return not first or first in names or f"{first}.py" in names

    def _is_file(self, path: str) -> bool:
        folder, _, name = path.rpartition(os.sep)  # faster than os.path.split, and there are many
        return name in self._listing(folder or os.sep)

    def _listing(self, folder: str) -> frozenset[str]:
        if folder not in self._listings:
            time, names = 0, frozenset[str]()
            with suppress(OSError):
                time = os.stat(folder).st_mtime_ns  # noqa: PTH116
                names = frozenset(os.listdir(folder))  # noqa: PTH208
            self._listings[folder] = names
            self._records.append(directory_record(folder, time, names))
        return self._listings[folder]


def _digest(text: bytes) -> str:
    return sha1(text, usedforsecurity=False).hexdigest()
