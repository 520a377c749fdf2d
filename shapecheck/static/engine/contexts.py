"""Context managers on hot paths, written as classes: generators take four times as long."""

from __future__ import annotations

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
        run.effects.peak = max(run.effects.peak, len(run.frames))
        return frame

    def __exit__(self, *_: object) -> None:
        self._run.frames.pop()
        self._run.running[self._frame.function] -= 1
