from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shapecheck.project.source import SourceError, SourceFile

PATH = Path("net.py")


@pytest.mark.parametrize(
    ("raw", "encoding", "text"),
    [
        (b"x = 1\n", "utf-8", "x = 1\n"),
        ("é = 1\n".encode(), "utf-8", "é = 1\n"),
        (b"\xef\xbb\xbfx = 1\r\n", "utf-8-sig", "x = 1\r\n"),
        (
            "# -*- coding: latin-1 -*-\né = 1\n".encode("latin-1"),
            "iso-8859-1",
            "# -*- coding: latin-1 -*-\né = 1\n",
        ),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n€\n".encode("cp1252"), "cp1252", None),
        (b"", "utf-8", ""),
        (b"a\rb\r\nc\n", "utf-8", "a\rb\r\nc\n"),
    ],
)
def test_bytes_survive_a_round_trip(raw: bytes, encoding: str, text: str | None) -> None:
    source = SourceFile.from_bytes(raw, PATH)
    assert source.encoding == encoding
    assert text is None or source.text == text
    assert source.encode(source.text) == raw


@pytest.mark.parametrize(
    "raw",
    [
        b"x = '\xe9'\n",
        b"# coding: no-such-codec\n",
        b"\xef\xbb\xbf# coding: latin-1\n",
        "x = 1\n".encode("utf-16"),
        b"# coding: ascii\nx = '\xc3\xa9'\n",
    ],
)
def test_what_cannot_be_decoded_is_one_line(raw: bytes) -> None:
    with pytest.raises(SourceError, match=r"^cannot decode: [^\n]+$"):
        SourceFile.from_bytes(raw, PATH)


def test_lines_are_those_of_the_parser() -> None:
    text = "a = 1\r\nb = '\x0c'\rc = '\u2028'\n\x0cd = 1"
    lines = SourceFile(PATH, text).lines
    assert lines == ["a = 1\r\n", "b = '\x0c'\r", "c = '\u2028'\n", "\x0cd = 1"]
    assert [node.lineno for node in ast.parse(text).body] == [1, 2, 3, 4]


def test_offsets_count_code_points() -> None:
    source = SourceFile(PATH, "x = 'é'; y = 2\nz = 3\n")
    second = ast.parse(source.text).body[1]
    assert source.offset(second.lineno, second.col_offset) == source.text.index("y")
    assert source.offset(2, 0) == source.text.index("z")


@pytest.mark.parametrize(("text", "expected"), [("a\r\nb", "\r\n"), ("a\nb", "\n"), ("a", "\n"), ("a\rb", "\r")])
def test_the_line_end_of_a_last_line_without_one(text: str, expected: str) -> None:
    source = SourceFile(PATH, text)
    assert source.newline_at(len(source.lines)) == expected
