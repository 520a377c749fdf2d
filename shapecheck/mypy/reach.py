"""What the findings of a file can depend on: the texts of the project files that it reaches through imports.

mypy asks for this about every module at every start, so nothing is parsed: a search of the text finds the names that
may be imported, and the file system says which of them are files here. It may find too many, never too few.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from shapecheck.project.modules import package_root

_COMMENT = re.compile(rb"#[^\n]*")
_IMPORT = re.compile(
    rb"(?:^|[;:])[ \t\f]*(?:from\s*(?P<module>[.\s]*[\w.]*)\s*)?\bimport\b\s*(?P<names>\([^)]*\)|[^\n;]*)", re.MULTILINE
)
_NAME = re.compile(r"[\w.]+")
_OUTSIDE = frozenset({"__future__", "typing", "torch", "numpy", "jaxtyping", "einops", "math", "os", "sys"})
"""What nearly every file imports and no project holds."""

_TENSORS = (b"torch", b"jaxtyping")
"""Where none of the files that are reached mentions one of these there are no tensors."""


@dataclass(frozen=True, slots=True)
class _File:
    """One text: its digest, whether tensors may be in it, and the files that it may import."""

    digest: str
    mentions_tensors: bool
    names: tuple[tuple[int, str], ...]
    """Levels and dotted names of what is imported."""


class Reach:
    """Follows imports from file to file, with what was read kept until `refresh`."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = [os.path.join(root, *tail) for root in roots for tail in ((), ("src",))]  # noqa: PTH118 - speed
        self._read: dict[str, tuple[tuple[int, int], _File]] = {}
        self._files: dict[str, _File | None] = {}
        self._next: dict[str, list[str]] = {}
        self._homes: dict[str, str] = {}
        self._is_file: dict[str, bool] = {}
        self._digests: dict[str, str | None] = {}

    def refresh(self) -> None:
        """Looks at the file system again from now on; texts are read again where time or size changed."""
        for known in (self._files, self._next, self._homes, self._is_file, self._digests):
            known.clear()

    def digest(self, path: str) -> str | None:
        """A digest of all that the file reaches; None where there can be no tensor."""
        if path not in self._digests:
            reached = {one: file for one in self._reached(path) if (file := self._file(one)) is not None}
            if any(file.mentions_tensors for file in reached.values()):
                parts = sorted(f"{os.path.relpath(one)}:{file.digest}" for one, file in reached.items())
                self._digests[path] = _digest("\n".join(parts).encode("utf-8", "surrogateescape"))
            else:
                self._digests[path] = None
        return self._digests[path]

    def _reached(self, path: str) -> set[str]:
        seen, waiting = {path}, [path]
        while waiting:
            for one in self._imports(waiting.pop()):
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)
        return seen

    def _file(self, path: str) -> _File | None:
        if path not in self._files:
            self._files[path] = self._read_again(path)
        return self._files[path]

    def _read_again(self, path: str) -> _File | None:
        try:
            status = os.stat(path)  # noqa: PTH116 - called for every module of a build
            state = (status.st_mtime_ns, status.st_size)
            known = self._read.get(path)
            if known is None or known[0] != state:
                with open(path, "rb") as stream:  # noqa: PTH123
                    text = stream.read()
                known = self._read[path] = (state, _File(_digest(text), _mentions(text), tuple(set(_names(text)))))
        except OSError:
            return None
        return known[1]

    def _imports(self, path: str) -> list[str]:
        if path not in self._next:
            file = self._file(path)
            names = () if file is None else file.names
            self._next[path] = [one for level, dotted in names for one in self._candidates(path, level, dotted)]
        return self._next[path]

    def _candidates(self, path: str, level: int, dotted: str) -> Iterator[str]:
        folder = os.path.dirname(path)  # noqa: PTH120
        if level:
            homes: Iterable[str] = [os.path.join(folder, *[os.pardir] * (level - 1))]  # noqa: PTH118
        else:
            homes = dict.fromkeys([self._home(folder), *self._roots, folder])
        tail = dotted.replace(".", os.sep)
        for home in homes:
            base = os.path.normpath(f"{home}{os.sep}{tail}")
            for candidate in (f"{base}{os.sep}__init__.py", f"{base}.py"):
                if self._exists(candidate):
                    yield candidate
                    break

    def _home(self, folder: str) -> str:
        if folder not in self._homes:
            self._homes[folder] = str(package_root(Path(folder)))
        return self._homes[folder]

    def _exists(self, path: str) -> bool:
        if path not in self._is_file:
            self._is_file[path] = os.path.isfile(path)  # noqa: PTH113
        return self._is_file[path]


def _digest(text: bytes) -> str:
    return sha1(text, usedforsecurity=False).hexdigest()


def _mentions(text: bytes) -> bool:
    return any(word in text for word in _TENSORS)


def _names(text: bytes) -> Iterator[tuple[int, str]]:
    """Levels and dotted names of all that a text may import; a name that is imported may be a module itself."""
    if b"import" not in text:
        return
    plain = _COMMENT.sub(b"", text).replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    for found in _IMPORT.finditer(plain):
        names = found["names"].decode("utf-8", "replace")
        if found["module"] is None:
            for name in _NAME.findall(names):
                parts = name.split(".")
                yield from ((0, ".".join(parts[:end])) for end in range(1, len(parts) + 1) if parts[0] not in _OUTSIDE)
            continue
        module = "".join(found["module"].decode("utf-8", "replace").split())
        dotted = module.lstrip(".")
        level = len(module) - len(dotted)
        if level or dotted.partition(".")[0] not in _OUTSIDE:
            yield level, dotted
            yield from ((level, f"{dotted}.{name}".lstrip(".")) for name in _NAME.findall(names))
