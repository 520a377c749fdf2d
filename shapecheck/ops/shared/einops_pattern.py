"""The pattern language of einops: `b (h w) c -> b h w c`, read into groups of axes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from shapecheck.spec import CallError

ELLIPSIS = "..."
Name = str | int  # an axis by name, or an anonymous one by its length
Group = tuple[Name, ...]  # the axes in one pair of parentheses, or the one that stands alone

_LONGEST = 10_000


class Side:
    """One side of a pattern.

    groups: one per axis of the tensor; `(ELLIPSIS,)` stands for several.
    names: all named axes, `...` included, in order.
    nested: whether `...` stands in parentheses.
    """

    __slots__ = ("groups", "names", "nested")

    def __init__(self, text: str) -> None:
        self.groups: tuple[Group, ...] = tuple(_groups(text))
        self.names: tuple[str, ...] = tuple(one for group in self.groups for one in group if isinstance(one, str))
        self.nested = any(ELLIPSIS in group and len(group) > 1 for group in self.groups)
        for index, name in enumerate(self.names):
            if name in self.names[:index]:
                raise CallError(f"the axis {name!r} stands twice in {text.strip()!r}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The lengths of the anonymous axes, 1 left out."""
        return tuple(one for group in self.groups for one in group if isinstance(one, int) and one != 1)


@lru_cache(maxsize=1024)
def parse(pattern: str) -> tuple[Side, Side]:
    """Both sides of `left -> right`; raises CallError where it is no pattern."""
    if not isinstance(pattern, str):
        raise CallError(f"a pattern is a string such as 'b (h w) -> b h w', not {pattern!r}")
    left, arrow, right = pattern.partition("->")
    if not arrow or "->" in right:
        raise CallError(f"a pattern has one '->': {_short(pattern)!r}")
    return Side(left), Side(right)


def _groups(text: str) -> Iterator[Group]:
    if len(text) > _LONGEST:
        raise CallError(f"a pattern of {len(text)} characters is too long")
    group: list[Name] | None = None
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            if group is not None:
                raise CallError(f"parentheses inside parentheses in {_short(text)!r}")
            group = []
        elif token == ")":
            if group is None:
                raise CallError(f"')' without '(' in {_short(text)!r}")
            # One axis made of several is told from several axes by the 1 beside it.
            yield (ELLIPSIS, 1) if group == [ELLIPSIS] else tuple(group)
            group = None
        elif group is None:
            yield (_name(token, text),)
        else:
            group.append(_name(token, text))
    if group is not None:
        raise CallError(f"'(' without ')' in {_short(text)!r}")


def _name(token: str, text: str) -> Name:
    if token in (ELLIPSIS, "…"):
        return ELLIPSIS
    if token.isdecimal():
        if int(token) == 0:
            raise CallError(f"an axis of length 0 in {_short(text)!r}")
        return int(token)
    if not token.isidentifier() or token[0] == "_" or token[-1] == "_":
        raise CallError(f"{_short(token)!r} is no name for an axis in {_short(text)!r}")
    return token


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:77] + "..."
