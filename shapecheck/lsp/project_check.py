"""The findings in all files of the project as they are on disk: `shapecheck check` in a process of its own.

It has the cache of the command, so that another run costs what has changed, and does not keep the worker from
answering. Half of the cores are left to the editor.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from shapecheck.diagnostics import Diagnostic

_COMMAND = ("-m", "shapecheck", "check", "--quiet", "--no-baseline", "--format", "json", "--jobs")


class _Report(Struct):
    diagnostics: list[Diagnostic]


class CheckFailed(Exception):
    """The command has no report; the message is what it says instead."""


class ProjectCheck:
    """The findings of the last run, until files change."""

    def __init__(self) -> None:
        self.is_stale = True
        self._found: dict[Path, list[Diagnostic]] = {}
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None

    def stop(self) -> None:
        """Ends a run and its processes."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()

    async def findings(self, folder: Path) -> dict[Path, list[Diagnostic]]:
        """The findings by file; raises CheckFailed. If the caller is cancelled, the run ends."""
        async with self._lock:
            if self.is_stale:
                self.is_stale = False  # a file that changes now makes it so again
                try:
                    self._found = _by_file(folder, await self._run(folder))
                except BaseException:
                    self.is_stale = True
                    raise
            return self._found

    async def _run(self, folder: Path) -> list[Diagnostic]:
        jobs = str(max((os.cpu_count() or 1) // 2, 1))
        process = self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *(*_COMMAND, jobs),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            start_new_session=True,
        )
        try:
            output, errors = await process.communicate()
        finally:
            self.stop()
        try:
            return msgspec.json.decode(output, type=_Report).diagnostics
        except msgspec.DecodeError:
            raise CheckFailed(errors.decode(errors="replace").strip() or "no report") from None


def _by_file(folder: Path, diagnostics: list[Diagnostic]) -> dict[Path, list[Diagnostic]]:
    found: dict[Path, list[Diagnostic]] = {}
    for one in diagnostics:
        found.setdefault(folder / one.path, []).append(one)
    return found
