"""Shared by rules: parts of messages that several operators have in common."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.spec import Shape


def wrong_rank(what: str, ranks: Sequence[int], shape: Shape) -> str:
    """The message for another rank: "expected a 2-D weight, got shape (3,)".

    what: "the weight", or the name of an argument: "expected mat to be 2-D, got shape (3,)".
    """
    words = [f"{rank}-D" for rank in ranks]
    if what.startswith("the "):
        return f"expected {one_of(words)} {what.removeprefix('the ')}, got shape {shape}"
    return f"expected {what} to be {any_of(words)}, got shape {shape}"


def one_of(words: Sequence[str]) -> str:
    """The alternatives with an article: "a 3-D or 4-D", "an integer, floating-point or complex"."""
    return f"{'an' if words[0][0] in 'aeiou8' else 'a'} {any_of(words)}"


def any_of(words: Sequence[str]) -> str:
    """The alternatives: "mean", "mean or sum", "none, mean or sum"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def number_of(count: int, noun: str) -> str:
    """A count and its noun: "1 value", "2 values"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
