"""Texts inside PNG files, by keyword: `docs/screenshots.py` records there which command a picture shows."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PLAIN = b"\0\0\0\0\0"
"""After the keyword of an iTXt chunk: its end, not compressed, no language, no translated keyword."""


def with_texts(png: bytes, texts: Mapping[str, str]) -> bytes:
    """The picture with these texts before its end."""
    *chunks, end = _chunks(png)
    new = [(b"iTXt", keyword.encode("latin-1") + _PLAIN + text.encode()) for keyword, text in texts.items()]
    return _SIGNATURE + b"".join(_packed(kind, data) for kind, data in (*chunks, *new, end))


def texts_of(png: bytes) -> dict[str, str]:
    """The texts that `with_texts` has added."""
    pairs = (data.split(_PLAIN, 1) for kind, data in _chunks(png) if kind == b"iTXt")
    return {keyword.decode("latin-1"): text.decode() for keyword, text in pairs}


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not png.startswith(_SIGNATURE):
        raise ValueError("expected a PNG file")
    start = len(_SIGNATURE)
    while start < len(png):
        size, kind = struct.unpack_from(">I4s", png, start)
        yield kind, png[start + 8 : start + 8 + size]
        start += 12 + size


def _packed(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
