"""One Python source file: its bytes, its text, and the offset of a position of the parser."""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.notebook import SUFFIX, NotebookError, read

_LINE = lazy_pattern(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def split_lines(text: str) -> list[str]:
    """The lines with their ends, split as Python's own parser splits them: not at form feeds or Unicode separators."""
    return _LINE.findall(text)


class SourceError(Exception):
    """A file could not be read, decoded or written. The message is one line for the user."""


def reason(error: OSError) -> str:
    """Why the operating system refused, in lower case: `permission denied`."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


@dataclass(frozen=True)
class SourceFile:
    """A decoded source file. `text` keeps the file's own line ends and has no byte order mark."""

    path: Path
    text: str
    encoding: str = "utf-8"
    display: str = ""
    raw: bytes = field(default=b"", repr=False)

    @classmethod
    def from_bytes(cls, raw: bytes, path: Path, display: str | None = None) -> SourceFile:
        """Decode `raw` by its byte order mark or coding line (PEP 263); raise SourceError if that fails.

        Of a notebook, the text is that of its code cells.
        """
        try:
            if path.suffix == SUFFIX:
                return cls(path, read(raw)[0], "utf-8", display or str(path), raw)
            encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
            text = raw.decode(encoding)
        except NotebookError as error:
            raise SourceError(str(error)) from error
        except (SyntaxError, UnicodeDecodeError, LookupError) as error:
            raise SourceError(f"cannot decode: {' '.join(str(error).split())}") from error
        return cls(path, text, encoding, display or str(path), raw)

    def encode(self, text: str) -> bytes:
        """Encode `text` the way this file is encoded, byte order mark included.

        Of a notebook, the text has marks (`notebook_edits`); SourceError if it cannot be divided among the cells.
        """
        if self.path.suffix == SUFFIX:
            from shapecheck.project.notebook_edits import with_text  # noqa: PLC0415 - few files are notebooks

            try:
                return with_text(self.raw, text)
            except NotebookError as error:
                raise SourceError(f"cannot write: {error}") from error
        return text.encode(self.encoding)

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends, split as Python's own parser splits them."""
        return split_lines(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(map(len, self.lines))]

    def column(self, line: int, utf8_column: int) -> int:
        """The code point column, from 0, of an `ast` position (`ast` counts UTF-8 bytes)."""
        content = self.lines[line - 1]
        if content.isascii():
            return utf8_column
        return len(content.encode()[:utf8_column].decode(errors="ignore"))

    def offset(self, line: int, utf8_column: int) -> int:
        """The index into `text` of an `ast` position: line from 1, column from 0 in UTF-8 bytes."""
        return self._starts[line - 1] + self.column(line, utf8_column)

    def newline_at(self, line: int) -> str:
        """The line end of a line, or that of the first line if that line has none."""
        for content in (self.lines[line - 1], self.lines[0]):
            ending = content[len(content.rstrip("\r\n")) :]
            if ending:
                return ending
        return "\n"
