"""The data file of recorded calls: JSON, in which several runs and processes accumulate.

    {"format": "shapecheck-record", "version": 1, "functions": [
        {"file": "model.py", "name": "Net.forward", "line": 12, "omitted": 0, "calls": [
            {"count": 3, "arguments": {"x": {"dtype": "float32", "shape": [2, 8]}, "mask": null},
             "result": {"tuple": [{"dtype": "float32", "shape": [2, 4]}, "other"]}}]}]}

Paths are relative to the directory of the data file. A value is null, a tensor, `{"tuple": [...]}`, `{"list": [...]}`
or "other".
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from shapecheck.project.relative import relative_path
from shapecheck.record.calls import OTHER, Call, Description, Site, holds_tensor

FORMAT, VERSION = "shapecheck-record", 1
DEFAULT_FILE = "shapecheck-record.json"
_MOST_CALLS = 256
"""Distinct calls of one function in a file."""
_Key = tuple[str, str, int]


class RecordError(Exception):
    """A data file cannot be read or written; the message is one line."""


@dataclass
class RecordedFunction:
    """The distinct calls of one function, with their counts. `parameters` has the names of the arguments."""

    path: str
    """Absolute."""
    name: str
    line: int
    calls: dict[tuple[tuple[str, ...], Call], int] = field(default_factory=dict)
    """By the names of the parameters, and the call."""
    omitted: int = 0

    def add(self, parameters: tuple[str, ...], call: Call, count: int) -> None:
        """Counts a call; those beyond a limit are only counted together."""
        key = parameters, call
        if key in self.calls or len(self.calls) < _MOST_CALLS:
            self.calls[key] = self.calls.get(key, 0) + count
        else:
            self.omitted += count


def read_records(path: Path) -> list[RecordedFunction]:
    """The functions of a data file. Raises RecordError."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: cannot read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path}: expected a file of shapecheck record") from None
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise ValueError(text)
        version = content["version"]
        if version != VERSION:
            raise RecordError(f"{path}: expected version {VERSION} of the format, got {version}")
        return [_function(one, path) for one in content["functions"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RecordError(f"{path}: expected a file of shapecheck record") from None


def add_to_file(path: Path, sites: Iterable[Site]) -> None:
    """Adds calls to a data file, which is created if it does not exist. Raises RecordError.

    Processes wait for each other, and the file is replaced as a whole.
    """
    from shapecheck.project.source import SourceError  # noqa: PLC0415 - only needed at the end of a process
    from shapecheck.project.write import write_whole  # noqa: PLC0415

    recorded = [(site, dict(site.calls), site.omitted) for site in sites]
    with _locked(path):
        known = {(one.path, one.name, one.line): one for one in (read_records(path) if path.exists() else ())}
        for site, calls, omitted in recorded:
            _add(known, site, calls, omitted)
        try:
            write_whole(path, _text(known.values(), path.parent).encode())
        except SourceError as error:
            raise RecordError(f"{path}: {error}") from None


def _add(known: dict[_Key, RecordedFunction], site: Site, calls: dict[Call, int], omitted: int) -> None:
    shown = {call: count for call, count in calls.items() if any(map(holds_tensor, (*call[0], call[1])))}
    if not shown:
        return
    place = os.path.realpath(site.path), site.name, site.line
    function = known.setdefault(place, RecordedFunction(*place))
    for call, count in shown.items():
        function.add(site.parameters, call, count)
    function.omitted += omitted


def _text(functions: Iterable[RecordedFunction], folder: Path) -> str:
    """One line for each call, so that the file can be read and compared."""
    lines = [f'{{"format": "{FORMAT}", "version": {VERSION}, "functions": [']
    ordered = sorted(functions, key=lambda one: (one.path, one.line, one.name))
    real = os.path.realpath(folder)
    for number, one in enumerate(ordered):
        head = {"file": relative_path(one.path, real), "name": one.name, "line": one.line, "omitted": one.omitted}
        lines.append(f'  {json.dumps(head)[:-1]}, "calls": [')
        calls = [f"    {json.dumps(_as_json(key, count))}" for key, count in one.calls.items()]
        lines.append(",\n".join(calls) + ("]}," if number + 1 < len(ordered) else "]}"))
    return "\n".join([*lines, "]}", ""])


def _as_json(key: tuple[tuple[str, ...], Call], count: int) -> dict[str, Any]:
    parameters, (arguments, result) = key
    named = {name: _value(one) for name, one in zip(parameters, arguments, strict=True)}
    return {"count": count, "arguments": named, "result": _value(result)}


def _value(one: Description) -> Any:
    if one is None or one == OTHER:
        return one
    kind, rest = one
    if kind in ("tuple", "list"):
        return {kind: [_value(item) for item in rest]}
    return {"dtype": kind, "shape": list(rest)}


def _function(one: Any, file: Path) -> RecordedFunction:
    folder = os.path.realpath(file.parent)
    path = os.path.normpath(os.path.join(folder, one["file"]))  # noqa: PTH118 - the path may be absolute
    found = RecordedFunction(os.path.realpath(path), str(one["name"]), int(one["line"]), omitted=int(one["omitted"]))
    for call in one["calls"]:
        arguments = tuple(map(_described, call["arguments"].values()))
        key = tuple(call["arguments"]), (arguments, _described(call["result"]))
        found.calls[key] = int(call["count"])
    return found


def _described(value: Any) -> Description:
    if value is None or value == OTHER:
        return value
    for kind in ("tuple", "list"):
        if kind in value:
            return kind, tuple(map(_described, value[kind]))
    return str(value["dtype"]), tuple(map(int, value["shape"]))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """A context that one process of this machine is in at a time, for each data file."""
    digest = hashlib.sha256(os.path.realpath(path).encode()).hexdigest()[:16]
    with (Path(tempfile.gettempdir()) / f"shapecheck-record-{digest}.lock").open("a+") as stream:
        _lock(stream)
        yield


def _lock(stream: IO[str]) -> None:
    """Waits for the lock of a file, which is released when the file is closed."""
    if os.name == "nt":
        import msvcrt  # noqa: PLC0415

        stream.seek(0)
        msvcrt.locking(stream.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined]
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(stream, fcntl.LOCK_EX)
