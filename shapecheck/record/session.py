"""Starts and ends a recording. Forked processes record too, and add their calls when they end."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import util
from pathlib import Path

from shapecheck.record.calls import set_active, sites
from shapecheck.record.hook import Finder
from shapecheck.record.loaded import Replaced, instrument_loaded, restore
from shapecheck.record.project_files import ProjectFiles
from shapecheck.record.store import DEFAULT_FILE, RecordError, add_to_file, read_records


class CallRecording:
    """A recording of this process: of functions in files below `root`, to a data file."""

    def __init__(self, file: Path, root: Path) -> None:
        self.file = Path(os.path.realpath(file))
        self._files = ProjectFiles(root)
        self._finder = Finder(self._files)
        self._replaced: Replaced = []

    def start(self) -> None:
        """Raises RecordError if the file cannot be added to, or another recording is active."""
        if _active:
            raise RecordError(f"{self.file}: a recording to {_active[0].file} is active")
        if self.file.exists():
            read_records(self.file)  # before work that would be lost
        elif not self.file.parent.is_dir():
            raise RecordError(f"{self.file}: cannot write: the directory does not exist")
        _register_once()
        self._replaced = instrument_loaded(self._files)
        sys.meta_path.insert(0, self._finder)
        _active.append(self)
        set_active(True)

    def stop(self) -> None:
        """Ends the recording and writes the file."""
        if self in _active:
            set_active(False)
            _active.remove(self)
            sys.meta_path.remove(self._finder)
            restore(self._replaced)
            self.flush()

    def flush(self) -> None:
        """Adds the calls since the last time to the file."""
        add_to_file(self.file, sites)
        _forget()


_active: list[CallRecording] = []
_registered: list[bool] = []


@contextmanager
def recording(
    path: str | os.PathLike[str] = DEFAULT_FILE, root: str | os.PathLike[str] | None = None
) -> Iterator[None]:
    """Records the calls of functions in files below `root`, by default the working directory, to a data file.

    Shapes and dtypes of arguments and results are recorded, never values. `shapecheck annotate --from` reads the file.
    """
    made = CallRecording(Path(path), Path.cwd() if root is None else Path(root))
    made.start()
    try:
        yield
    finally:
        made.stop()


def _forget() -> None:
    for site in sites:
        site.calls, site.omitted = {}, 0


def _register_once() -> None:
    if _registered:
        return
    _registered.append(True)
    atexit.register(_at_exit)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget)
    # multiprocessing ends its processes without the functions of atexit
    util.register_after_fork(CallRecording, lambda _: util.Finalize(None, _at_exit, exitpriority=0))


def _at_exit() -> None:
    for one in _active:
        try:
            one.flush()
        except RecordError as error:
            sys.stderr.write(f"shapecheck: {error}\n")
