"""Which line of the program an operator was called from."""

from __future__ import annotations

import linecache
import os
import sys
from functools import cache, lru_cache
from types import FrameType
from typing import NamedTuple

from shapecheck.diagnostics.comments import ignores

_LIBRARIES = ["torch", "torchvision", "einops", "jaxtyping", "beartype", "shapecheck"]
"""The libraries that only pass tensors on."""
_CALL_THE_PROGRAM = frozenset({"torch", "jaxtyping", "beartype", "shapecheck"})
"""Those among them whose lines are around each call of a model."""


class SourceLocation(NamedTuple):
    """A line of the program."""

    path: str
    line: int

    @property
    def text(self) -> str:
        """The line's source; empty where there is none."""
        linecache.checkcache(self.path)
        return linecache.getline(self.path, self.line)

    def is_silenced(self, code: str) -> bool:
        """Whether the line has a comment `# shapecheck: ignore[code]`."""
        return ignores(self.text, code)


def place_of_caller(frame: FrameType | None) -> SourceLocation:
    """The innermost line at or above `frame` that is not in a library that only passes tensors on."""
    while frame is not None:
        if is_of_program(frame.f_code.co_filename):
            return SourceLocation(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return SourceLocation("<unknown>", 0)


def place_of_error(error: BaseException) -> SourceLocation | None:
    """The line of the program that raised an error; None if its traceback has no such line."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if is_of_program(trace.tb_frame.f_code.co_filename):
            found = SourceLocation(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return found


@cache
def is_of_program(filename: str) -> bool:
    """Whether a file does not belong to a library that only passes tensors on."""
    return not filename.startswith(("<frozen", "<shapecheck", *_folders()))


def count_as_program(library: str) -> None:
    """From now on, lines of the library are lines of the program. For a process that examines models of it."""
    if library in _LIBRARIES and library not in _CALL_THE_PROGRAM:
        _LIBRARIES.remove(library)
        _folders.cache_clear()
        is_of_program.cache_clear()


@lru_cache(maxsize=1)
def _folders() -> tuple[str, ...]:
    """The directories of the loaded libraries."""
    files = [getattr(sys.modules.get(name), "__file__", None) for name in _LIBRARIES]
    return tuple(os.path.dirname(file) + os.sep for file in files if file)  # noqa: PTH120
