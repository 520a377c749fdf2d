"""Findings that the second process computes while mypy works, and how long mypy waits for them.

By default mypy waits at the end of a run at most, for a small part of the time that the run has taken. What is ready by
then is reported. The rest is recorded as missing; the process continues with it, and the next run reports it. In
continuous integration, or if configured, mypy waits for all findings.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mypy.build import BuildManager
from mypy.options import Options

from shapecheck.config import ConfigError, load_config
from shapecheck.diagnostics import Diagnostic
from shapecheck.mypy.codes import ERROR_CODES
from shapecheck.mypy.findings import FindingsProvider
from shapecheck.mypy.late_files import LateFile, LateFiles
from shapecheck.mypy.late_report import report_late
from shapecheck.project.findings_log import Key
from shapecheck.project.parallel import available_cores
from shapecheck.project.requests import is_continued
from shapecheck.selection import Selection

_SHARE = 0.01
"""The longest wait, relative to the time that the run has taken so far."""
_WORTH_A_PROCESS = 30_000
"""Bytes of source below which starting a process costs more than it saves, if mypy waits for it in any case."""


class CheckedFile(NamedTuple):
    """A file that mypy has checked, and how."""

    path: str
    module: str
    options: Options
    selection: Selection


class Concurrent:
    """The requests of one run."""

    def __init__(self, findings: FindingsProvider, build: BuildManager, late: LateFiles, began: float) -> None:
        self._findings = findings
        self._build = build
        self._late = late
        self._began = began
        self._waited = 0.0
        self._unchecked: set[str] = set()
        """The files that mypy has parsed and not yet checked."""
        self._missing: dict[str, tuple[CheckedFile, Key, LateFile]] = {}
        """The files that mypy has checked before their findings were ready."""
        self._small: dict[str, frozenset[str]] | None = {}
        """The first files, while they are too little source for a process that mypy waits for."""
        self._is_continued: bool | None = None
        """Whether the process of an earlier run still computes what was missing then."""
        self._has_told = False
        self._waits = findings.waits = _is_configured_to_wait()

    def parsed(self, path: str, codes: frozenset[str]) -> None:
        """A file was parsed, and will be checked."""
        self._unchecked.add(path)
        if self._waits and self._small is not None:
            self._small[path] = codes
            if available_cores() == 1 or _size(self._small) < _WORTH_A_PROCESS:
                return
            for earlier, earlier_codes in self._small.items():
                self._findings.expect(earlier, earlier_codes)
            self._small = None
        else:
            self._findings.expect(path, codes)

    def is_outdated(self, path: str) -> bool:
        """Whether mypy has stored a file without findings that are ready now; requests them if they are not."""
        how = self._late.files.get(os.path.abspath(path))  # noqa: PTH100
        if how is None:
            return False
        key = self._findings.key(path, frozenset(how.codes))
        if self._waits:
            return True
        if key not in self._findings.log:
            if self._is_continued is None:
                self._is_continued = is_continued(self._findings.log.path)
            if not self._is_continued:
                self._findings.expect(path, frozenset(how.codes))
                self._findings.background.finish()
            self._tell(f"findings of an earlier run are not ready yet ({len(self._late.files)} files)")
            return False
        if not self._findings.log.is_clean(key) or how.has_comments:
            return True
        self._late.discard(key[0])
        return False

    def findings(self, place: CheckedFile) -> list[Diagnostic]:
        """The findings of a file that was checked; none if they are not ready, which is recorded."""
        codes = place.selection.wanted()
        key = self._findings.key(place.path, codes)
        if self._waits:
            self._findings.background.wait([key])
            if key not in self._findings.log:
                self._late.discard(key[0])
                return self._findings.of(place.path, codes)
        elif key not in self._findings.log:
            self._findings.expect(place.path, codes)
            if self._unchecked <= {place.path}:
                self._wait([key, *(other for _, other, _ in self._missing.values())])
            self._findings.log.poll()
            if key not in self._findings.log:
                how = LateFile(tuple(sorted(codes)), self._use_comments(place.path))
                self._late.add(key[0], how)
                self._missing[place.path] = (place, key, how)
                return []
        self._late.discard(key[0])
        return self._findings.answer(key)

    def checked(self, path: str) -> None:
        """A file was checked; after the last one, report what has become ready."""
        self._unchecked.discard(path)
        if self._unchecked:
            return
        self._wait([key for _, key, _ in self._missing.values()])
        for place, key, how in list(self._missing.values()):
            if key in self._findings.log and place.path != path:
                del self._missing[place.path]
                self._report(place, key, how)
        if self._missing:
            self._findings.background.finish()
            self._tell(f"{_files(len(self._missing))} not checked completely: {self._reason()}")
        self._findings.background.close()

    def _report(self, place: CheckedFile, key: Key, how: LateFile) -> None:
        try:
            found = list(place.selection.judged(self._findings.answer(key)))
            is_stored = report_late(self._build, place.path, place.module, place.options, found)
        except Exception as fault:  # mypy must continue after any error
            sys.stderr.write(f"shapecheck.mypy: warning: {type(fault).__name__} in {place.path}: {fault}\n")
            return
        if is_stored and not how.has_comments:
            self._late.discard(key[0])

    def _wait(self, keys: list[Key]) -> None:
        now = time.perf_counter()
        allowed = _SHARE * (now - self._began - self._waited) - self._waited
        if keys and allowed > 0:
            self._findings.background.wait(keys, allowed)
            self._waited += time.perf_counter() - now

    def _use_comments(self, path: str) -> bool:
        """Whether comments ignore our codes; mypy must not report those as unused that may be used."""
        errors = self._build.errors
        found = False
        for line, names in errors.ignored_lines.get(path, {}).items():
            ours = [name for name in names if name in ERROR_CODES]
            if ours or not names:
                errors.used_ignored_lines[path][line] += ours or ["misc"]
                found = True
        return found

    def _reason(self) -> str:
        code = self._findings.background.exit_code
        if code is not None:
            return f"the process that checks shapes ended with exit code {code}; run `shapecheck check`"
        return "checking shapes takes longer than mypy; run mypy again, or `shapecheck check`"

    def _tell(self, text: str) -> None:
        """Prints one line for the user, besides mypy's output."""
        if not self._has_told:
            self._has_told = True
            sys.stderr.write(f"shapecheck.mypy: warning: {text}\n")


def _is_configured_to_wait() -> bool:
    with suppress(ConfigError):
        configured = load_config(Path.cwd()).mypy.wait
        if configured is not None:
            return configured
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def _size(paths: dict[str, frozenset[str]]) -> int:
    found = 0
    for path in paths:
        with suppress(OSError):
            found += os.path.getsize(path)  # noqa: PTH202
    return found


def _files(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"
