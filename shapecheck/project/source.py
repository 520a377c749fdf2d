"""One Python source file: its bytes, its text, and writing it back whole."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class SourceError(Exception):
    """A file could not be read, decoded or written. The message is one line for the user."""


@dataclass(frozen=True)
class SourceFile:
    """A decoded source file. `text` keeps the file's own line ends and has no byte order mark."""

    path: Path
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    display: str = ""
    raw: bytes = field(default=b"", repr=False)

    @classmethod
    def from_bytes(cls, raw: bytes, path: Path, display: str | None = None) -> SourceFile:
        """Decode `raw` by its byte order mark or coding line (PEP 263); raise SourceError where that fails."""
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
            text = raw.decode(encoding)
        except (SyntaxError, UnicodeDecodeError, LookupError) as error:
            raise SourceError(f"cannot be decoded: {_one_line(error)}") from error
        bom = raw.startswith(codecs.BOM_UTF8)
        return cls(path, text, encoding, bom, display or str(path), raw)

    def encode(self, text: str) -> bytes:
        """Encode `text` the way this file is encoded, byte order mark included."""
        return text.encode(self.encoding)

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends, split as Python's own parser splits them."""
        return _LINE.findall(self.text)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
