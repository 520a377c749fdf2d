"""The pattern language of einops: `b (h w) c -> b h w c`, read into groups of axes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from shapecheck.spec import CallError
from shapecheck.spec.presentation import clipped, quoted, value_text

ELLIPSIS = "..."
Name = str | int  # an axis by name, or an anonymous one by its size
Group = tuple[Name, ...]  # the axes in one pair of parentheses, or a single axis

_LONGEST = 10_000


class Side:
    """One side of a pattern.

    groups: one per axis of the tensor; `(ELLIPSIS,)` represents several.
    names: all named axes, `...` included, in order.
    nested: whether `...` is in parentheses.
    """

    __slots__ = ("groups", "names", "nested")

    def __init__(self, text: str) -> None:
        self.groups: tuple[Group, ...] = tuple(_groups(text))
        self.names: tuple[str, ...] = tuple(one for group in self.groups for one in group if isinstance(one, str))
        self.nested = any(ELLIPSIS in group and len(group) > 1 for group in self.groups)
        for index, name in enumerate(self.names):
            if name in self.names[:index]:
                raise CallError(f"axis {quoted(name)} appears twice in {_shown(text)}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sizes of the anonymous axes other than 1."""
        return tuple(one for group in self.groups for one in group if isinstance(one, int) and one != 1)


@lru_cache(maxsize=1024)
def parse(pattern: object) -> tuple[Side, Side]:
    """Both sides of `left -> right`; raises CallError if it is not a pattern."""
    if not isinstance(pattern, str):
        raise CallError(f'expected a pattern such as "b (h w) -> b h w", got {value_text(pattern)}')
    left, arrow, right = pattern.partition("->")
    if not arrow or "->" in right:
        raise CallError(f"expected one -> in the pattern, got {_shown(pattern)}")
    return Side(left), Side(right)


def _groups(text: str) -> Iterator[Group]:
    if len(text) > _LONGEST:
        raise CallError(f"expected a pattern of at most {_LONGEST} characters, got {len(text)}")
    group: list[Name] | None = None
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            if group is not None:
                raise CallError(f"nested parentheses in {_shown(text)}")
            group = []
        elif token == ")":
            if group is None:
                raise CallError(f"unmatched ) in {_shown(text)}")
            # The 1 distinguishes one axis composed of several from several axes.
            yield (ELLIPSIS, 1) if group == [ELLIPSIS] else tuple(group)
            group = None
        elif group is None:
            yield (_name(token, text),)
        else:
            group.append(_name(token, text))
    if group is not None:
        raise CallError(f"unmatched ( in {_shown(text)}")


def _name(token: str, text: str) -> Name:
    if token in (ELLIPSIS, "…"):
        return ELLIPSIS
    if token.isdecimal():
        if int(token) == 0:
            raise CallError(f"axis of size 0 in {_shown(text)}")
        return int(token)
    if not token.isidentifier() or token[0] == "_" or token[-1] == "_":
        raise CallError(f"{_shown(token)} is not a valid axis name in {_shown(text)}")
    return token


def _shown(text: str) -> str:
    return quoted(clipped(text, 80))
