"""Context managers on hot paths, written as classes: generators take four times as long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import compress
from operator import attrgetter, is_not
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapecheck.static.engine.frames import Frame
    from shapecheck.static.engine.run import Run


class Silence:
    """Suppresses findings inside; `depth` counts how often it is entered."""

    __slots__ = ("depth",)

    def __init__(self) -> None:
        self.depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *_: object) -> None:
        self.depth -= 1


class Inside:
    """Pushes the frame of a call while it runs."""

    __slots__ = ("_frame", "_run")

    def __init__(self, run: Run, frame: Frame) -> None:
        self._run = run
        self._frame = frame

    def __enter__(self) -> Frame:
        run, frame = self._run, self._frame
        run.frames.append(frame)
        run.running[frame.function] += 1
        effects, depth = run.effects, len(run.frames)
        effects.peak = max(effects.peak, depth)
        return frame

    def __exit__(self, *_: object) -> None:
        self._run.frames.pop()
        self._run.running[self._frame.function] -= 1


class RunFields:
    """The fields of a run, read and restored together."""

    __slots__ = ("_indices", "_names", "read")

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._indices = range(len(self._names))
        self.read = attrgetter(*self._names)

    def restore(self, run: Run, before: tuple[object, ...]) -> None:
        """Sets the fields that differ from what was read before; usually one or two do."""
        for index in compress(self._indices, map(is_not, before, self.read(run))):
            setattr(run, self._names[index], before[index])


class Scope:
    """Part of a run with its own values in some fields; at its end, every field of the run is restored."""

    __slots__ = ("_depth", "_fields", "_own", "_run", "_saved")

    def __init__(self, run: Run, own: Mapping[str, object], every: RunFields) -> None:
        self._run = run
        self._own = own
        self._fields = every

    def __enter__(self) -> None:
        run = self._run
        self._saved = self._fields.read(run)
        self._depth = len(run.frames)
        for name, value in self._own.items():
            setattr(run, name, value)

    def __exit__(self, *_: object) -> None:
        run = self._run
        self._fields.restore(run, self._saved)
        del run.frames[self._depth :]
