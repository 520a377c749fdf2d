"""The import closure of a file: the texts of all project files that its findings can depend on.

mypy asks for this about every module at every start, so nothing is parsed: a search of the text finds the names that
may be imported, and the file system says which of them are files here. It may find too many, never too few.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from shapecheck.mypy.components import components
from shapecheck.mypy.imported_names import imported_names

_TENSORS = (b"torch", b"jaxtyping")
"""Where none of the files that are reached mentions one of these there are no tensors."""


@dataclass(frozen=True, slots=True)
class _File:
    """One text: its digest, whether tensors may be in it, and what it may import, as levels and dotted names."""

    digest: str
    mentions_tensors: bool
    names: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ImportClosure:
    """All that a file reaches, itself among it: a digest of the texts, and whether anything there speaks of tensors."""

    digest: str
    has_tensors: bool


class ImportClosures:
    """Follows imports from file to file, with what was read kept until `refresh`."""

    def __init__(self, roots: Sequence[str | Path]) -> None:
        self._here = os.path.join(os.getcwd(), "")  # noqa: PTH109, PTH118
        self._roots = [os.path.join(root, *tail) for root in roots for tail in ((), ("src",))]  # noqa: PTH118
        self._read: dict[str, tuple[tuple[int, int], _File]] = {}
        self._files: dict[str, _File | None] = {}
        self._next: dict[str, list[str]] = {}
        self._found: dict[tuple[str, int, str], list[str]] = {}
        self._homes: dict[str, str] = {}
        self._listings: dict[str, frozenset[str]] = {}
        self._reached: dict[str, ImportClosure] = {}

    def refresh(self) -> None:
        """Looks at the file system again from now on; texts are read again where time or size changed."""
        self._files.clear()
        self._next.clear()
        self._found.clear()
        self._homes.clear()
        self._listings.clear()
        self._reached.clear()

    def of(self, path: str) -> ImportClosure:
        """What a file reaches, by its absolute path."""
        if path not in self._reached:
            for members in components(path, self._imports, self._reached):
                reached = self._together(members)
                self._reached.update(dict.fromkeys(members, reached))
        return self._reached[path]

    def _together(self, members: list[str]) -> ImportClosure:
        """What files reach that import one another; all else that they import is known."""
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
            return None
        return known[1]

    # -- from names to files; strings and listings, for there are many

    def _imports(self, path: str) -> list[str]:
        if path not in self._next:
            file = self._file(path)
            folder = os.path.dirname(path)  # noqa: PTH120
            names = () if file is None else file.names
            self._next[path] = [one for level, dotted in names for one in self._candidates(folder, level, dotted)]
        return self._next[path]

    def _candidates(self, folder: str, level: int, dotted: str) -> list[str]:
        key = (folder, level, dotted)
        if key not in self._found:
            homes = [_above(folder, level - 1)] if level else [self._home(folder), *self._roots, folder]
            self._found[key] = [path for home in dict.fromkeys(homes) for path in self._below(home, dotted)]
        return self._found[key]

    def _below(self, folder: str, dotted: str) -> Iterator[str]:
        parts = dotted.split(".") if dotted else []
        for part in parts[:-1]:
            if part not in self._listing(folder):
                return
            folder = f"{folder}{os.sep}{part}"
        names = self._listing(folder)
        inner = f"{folder}{os.sep}{parts[-1]}" if parts else folder
        if (not parts or parts[-1] in names) and "__init__.py" in self._listing(inner):
            yield f"{inner}{os.sep}__init__.py"
        elif parts and f"{parts[-1]}.py" in names:
            yield f"{inner}.py"

    def _home(self, folder: str) -> str:
        """The nearest folder at or above this one that is no package: where absolute imports start."""
        if folder not in self._homes:
            above = os.path.dirname(folder)  # noqa: PTH120
            is_package = "__init__.py" in self._listing(folder) and above != folder
            self._homes[folder] = self._home(above) if is_package else folder
        return self._homes[folder]

    def _listing(self, folder: str) -> frozenset[str]:
        if folder not in self._listings:
            try:
                self._listings[folder] = frozenset(os.listdir(folder))  # noqa: PTH208
            except OSError:
                self._listings[folder] = frozenset()
        return self._listings[folder]


def _above(folder: str, levels: int) -> str:
    for _ in range(levels):
        folder = os.path.dirname(folder)  # noqa: PTH120
    return folder


def _digest(text: bytes) -> str:
    return sha1(text, usedforsecurity=False).hexdigest()
