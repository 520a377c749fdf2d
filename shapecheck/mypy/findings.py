"""Findings of `shapecheck check` for one file: from the log, from the second process, or computed in this one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING

from mypy.options import Options

from shapecheck.mypy.background import Background
from shapecheck.mypy.import_closure import ImportClosures
from shapecheck.mypy.unchanged import Record
from shapecheck.project.findings_log import FindingsLog, Key
from shapecheck.project.requests import Request
from shapecheck.project.templates import Templates

if TYPE_CHECKING:
    from shapecheck.diagnostics import Diagnostic
    from shapecheck.static.entry.server import FindingsServer, Results


class FindingsProvider:
    """The findings of files of one project, kept as long as nothing that they depend on changes."""

    def __init__(self, options: Options, roots: Sequence[str], log: str = "") -> None:
        """`roots` are the directories in which absolute imports are searched. Without a `log`, no answer is kept."""
        self._roots = tuple(dict.fromkeys(map(os.path.abspath, roots)))
        self._closures = ImportClosures(self._roots)
        self._shadowed = {os.path.abspath(source) for source, _ in options.shadow_file or ()}  # noqa: PTH100
        self._known: dict[tuple[str, frozenset[str]], tuple[str, list[Diagnostic]]] = {}
        self._answering: FindingsServer | None = None
        self._earlier: Results = {}
        """The results of the last one, which may still be valid."""
        self._templates = Templates()
        self._log = log
        self.waits = False
        """Whether the second process is as urgent as this one."""

    def refresh(self) -> None:
        """Reads the file system again from now on."""
        self._closures.refresh()
        if self._answering is not None:
            self._earlier, self._answering = self._answering.results, None
        self._templates = Templates()

    def new_records(self) -> list[Record]:
        """What was read since the last call."""
        return self._closures.new_records()

    def digest(self, path: str) -> str | None:
        """A digest of everything that the findings of the file depend on; None for one whose text mypy replaces."""
        whole = os.path.abspath(path)  # noqa: PTH100
        return None if whole in self._shadowed else self._closures.of(whole).digest

    def may_be_in(self, path: str) -> bool:
        """Whether the file can have findings."""
        return self.digest(path) is not None and self._closures.of(os.path.abspath(path)).has_tensors  # noqa: PTH100

    # -- in the second process

    @cached_property
    def log(self) -> FindingsLog:
        """The answers of this and earlier runs."""
        path = self._log
        if not path:
            handle, path = tempfile.mkstemp(prefix="shapecheck-", suffix=".jsonl")
            os.close(handle)
        found = FindingsLog(path)
        found.poll()
        found.compact()
        return found

    @cached_property
    def background(self) -> Background:
        """The second process."""
        if self._log:
            with suppress(OSError):
                os.makedirs(os.path.dirname(self._log), exist_ok=True)  # noqa: PTH103, PTH120
        return Background(self.log, self._roots, is_temporary=not self._log, is_waited_for=self.waits)

    def key(self, path: str, codes: frozenset[str]) -> Key:
        """The question for the findings of a file under these codes."""
        return os.path.abspath(path), codes_name(codes), self.digest(path) or ""  # noqa: PTH100

    def expect(self, path: str, codes: frozenset[str]) -> Key:
        """Requests the findings of a file under these codes, unless they are known."""
        key = self.key(path, codes)
        if key not in self.log:
            self.background.ask(Request(self._closures.rank(key[0]), *key), codes)
        return key

    def answer(self, key: Key) -> list[Diagnostic]:
        """The findings that are in the log."""
        return self._templates.without(Path(key[0]), self.log.findings(key))

    # -- in this process

    def of(self, path: str, codes: frozenset[str]) -> list[Diagnostic]:
        """The findings in a file, with the rules of these codes."""
        digest = self.digest(path)
        if digest is None or not self.may_be_in(path):
            return []
        known = self._known.get((path, codes))
        if known is None or known[0] != digest:
            known = self._known[path, codes] = (digest, self._find_here(os.path.abspath(path), codes))  # noqa: PTH100
        return self._templates.without(Path(path).absolute(), known[1])

    def _find_here(self, path: str, codes: frozenset[str]) -> list[Diagnostic]:
        from shapecheck.static.entry.server import FindingsServer  # noqa: PLC0415 - not needed in a warm run

        if self._answering is None:
            self._answering = FindingsServer(self._roots, self._earlier)
            self._earlier = {}
        return self._answering.findings(path, codes)


def codes_name(codes: Iterable[str]) -> str:
    """A short name for a set of codes."""
    return sha1("\n".join(sorted(codes)).encode(), usedforsecurity=False).hexdigest()[:12]
