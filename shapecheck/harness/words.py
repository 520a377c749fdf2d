"""Exceptions in the words of a report."""

from __future__ import annotations


def first_line(error: BaseException, most: int = 200) -> str:
    """The first line of what it says, shortened; its kind where it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:most]


def with_kind(error: BaseException) -> str:
    """`RuntimeError: its first line`."""
    name = type(error).__name__
    return f"{name}: {first_line(error)}" if str(error).strip() else name
