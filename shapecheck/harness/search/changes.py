"""Which sizes to try next, after a model rejected some."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shapecheck.harness.inputs.primes import primes
from shapecheck.harness.search.attempt import Attempt

FACTORS = (2, 4, 8, 16, 32, 64)
_LARGEST = 1024
_ROOMY = (17, 37, 67, 131, 227)
TOO_SMALL = re.compile(
    r"[Kk]ernel size can't be greater|[Oo]utput size is too small|computed output size: 0|more than 1 value per channel"
    r"|[Pp]adding size should be less|too small|calculated (padded )?(input|output) size|non-?empty"
    r"|should be greater|at least|zero-size|Expected .* to have (size|length)|sliding blocks"
    r"|index \d+ is out of bounds for dimension"
)
"""torch's messages for sizes that are too small for an operator."""
_USUAL = (16, 32, 64, 128, 224, 256, 1)
_MOST_LIKELY = 40
_MOST_ELEMENTS = 2**21
"""Of axes that get the same size: those of a volume, at most, and not 320 channels of 320 rows and columns."""
_STRIDES = (2, 4)


class Change(NamedTuple):
    """The names, their new size, and the number that it is a multiple of; 0 if only this size is intended."""

    names: tuple[str, ...]
    size: int
    multiple: int = 0


def changes(tried: Attempt, free: list[str], own: frozenset[int]) -> Iterator[Change]:
    """The most likely change first."""
    sizes, numbers = tried.plan.sizes, tried.numbers
    if TOO_SMALL.search(str(tried.error)):
        yield from _larger(free, own)
    blamed = [name for name in free if sizes[name] in numbers]
    others = [name for name in free if name not in blamed]
    wanted = [number for number in numbers if 0 < number <= _LARGEST or number in own]
    wanted = sorted(wanted, key=lambda number: (number not in tried.weights, number not in own))
    for name in blamed:
        yield from (Change((name,), size) for size in wanted)
    for name in blamed or others:
        yield from (Change((name,), size) for size in _in_proportion(sizes[name], numbers))
    for name in others:
        yield from (Change((name,), size) for size in _by_difference(sizes[name], numbers, tried.weights))
    for name in others:
        yield from (Change((name,), size) for size in wanted)
    likely = sorted(tried.weights | {size for size in own if size > 1})[:_MOST_LIKELY]
    if isinstance(tried.error, AssertionError):  # it may be about the size after layers with a stride
        likely += [stride * size for stride in _STRIDES for size in likely]
    for name in (*blamed, *others):
        yield from (Change((name,), size) for size in likely)
    for several in _groups(free):
        factors = (Change(several, size * factor, factor) for factor in FACTORS for size in (3, 5))
        usual = (Change(several, size) for size in (*likely, *_USUAL))
        yield from (one for one in (*factors, *usual) if one.size ** len(several) <= _MOST_ELEMENTS)


def _larger(free: list[str], own: frozenset[int]) -> Iterator[Change]:
    """Sizes that are large enough for kernels, for the last two axes; not a requirement to infer."""
    for least in _ROOMY:
        yield Change(tuple(free[-2:]), next(primes(own, least)), 1)


def _in_proportion(size: int, numbers: list[int]) -> Iterator[int]:
    """The size if one number of the error, of which it is a factor, became another one."""
    for actual in numbers:
        if actual > size and actual % size == 0:
            yield from (due * size // actual for due in numbers if due != actual and due * size % actual == 0 and due)


def _by_difference(size: int, numbers: list[int], weights: frozenset[int]) -> Iterator[int]:
    """The size if it is a summand of one number of the error that should become that of a weight."""
    for due in numbers:
        if due in weights:
            yield from (size + due - actual for actual in numbers if actual > size and size + due - actual > 0)


def _groups(free: list[str]) -> list[tuple[str, ...]]:
    """Names that often change together: the last two axes, single ones, all but the first."""
    groups = [tuple(free[-2:]), *((name,) for name in free), tuple(free[1:])]
    return [group for group in dict.fromkeys(groups) if group]
