"""Text for exceptions and sizes in reports."""

from __future__ import annotations

from collections.abc import Sequence

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_MOST_NAMES = 3


def first_line(error: BaseException, most: int = 200) -> str:
    """The first line of its message, shortened; its class if the message is empty."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:most]


def with_type_name(error: BaseException) -> str:
    """`RuntimeError: its first line`."""
    name = type(error).__name__
    return f"{name}: {first_line(error)}" if str(error).strip() else name


def format_bytes(size: float) -> str:
    """A number of bytes: `4.0 GiB`."""
    for unit in _UNITS:
        if size < 1024 or unit == _UNITS[-1]:
            break
        size /= 1024
    return f"{size:.0f} {unit}" if unit in _UNITS[:2] else f"{size:.1f} {unit}"


def listed(names: Sequence[str]) -> str:
    """`a and b`, `a, b and c`; of more than three, the first three and the number of the others."""
    shown = [*names[:_MOST_NAMES], f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else list(names)
    return " and ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)
