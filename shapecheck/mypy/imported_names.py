"""The names that a source may import, found without parsing it, in a hundredth of the time."""

from __future__ import annotations

import re
from collections.abc import Iterator

_OUTSIDE = frozenset({b"__future__", b"typing", b"torch", b"numpy", b"jaxtyping", b"einops", b"math", b"os", b"sys"})
"""What nearly every file imports and no project contains."""
_COMMENT = re.compile(rb"#[^\n]*")
_FROM = re.compile(rb"(?:^|[\s;:])from\s*([.\w\s]*?)\s*$")
_STARTS = re.compile(rb"(?:^|[;:])\s*$")
_NAME = re.compile(rb"[\w.]+")
_AFTER_NAMES = re.compile(rb"[\n;#]")


def imported_names(text: bytes) -> Iterator[tuple[int, str]]:
    """Levels of relative imports and dotted names; a name that is imported from a module may be a module itself."""
    if b"\\" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\\\n", b" ")
    place = text.find(b"import")
    while place >= 0:
        after = place + len(b"import")
        if not text[after : after + 1].isalnum() and text[after : after + 1] != b"_":
            head = text[text.rfind(b"\n", 0, place) + 1 : place]
            found = _FROM.search(head)
            if found:
                yield from _from(b"".join(found[1].split()), _listed(text, after))
            elif _STARTS.search(head):
                yield from _plain(_listed(text, after))
        place = text.find(b"import", after)


def _listed(text: bytes, start: int) -> list[bytes]:
    """The words of the list of names that begins here, `as` and what follows it included."""
    while text[start : start + 1] in (b" ", b"\t", b"\f"):
        start += 1
    if text[start : start + 1] != b"(":
        end = _AFTER_NAMES.search(text, start)
        return _NAME.findall(text[start : end.start() if end else len(text)])
    end_place = text.find(b")", start)
    while end_place >= 0 and b"#" in text[text.rfind(b"\n", 0, end_place) + 1 : end_place]:
        end_place = text.find(b")", end_place + 1)
    return _NAME.findall(_COMMENT.sub(b"", text[start : end_place if end_place >= 0 else len(text)]))


def _plain(names: list[bytes]) -> Iterator[tuple[int, str]]:
    for name in names:
        parts = name.split(b".")
        if parts[0] not in _OUTSIDE:
            yield from ((0, _text(b".".join(parts[:end]))) for end in range(1, len(parts) + 1))


def _from(module: bytes, names: list[bytes]) -> Iterator[tuple[int, str]]:
    dotted = module.lstrip(b".")
    level = len(module) - len(dotted)
    if level or dotted.partition(b".")[0] not in _OUTSIDE:
        yield level, _text(dotted)
        for name in names:
            yield level, _text(dotted + b"." + name if dotted else name)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
