"""Text for exceptions and sizes in reports."""

from __future__ import annotations

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def first_line(error: BaseException, most: int = 200) -> str:
    """The first line of what it says, shortened; its kind where it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:most]


def with_type_name(error: BaseException) -> str:
    """`RuntimeError: its first line`."""
    name = type(error).__name__
    return f"{name}: {first_line(error)}" if str(error).strip() else name


def format_bytes(size: float) -> str:
    """So many bytes: `4.0 GiB`."""
    for unit in _UNITS:
        if size < 1024 or unit == _UNITS[-1]:
            break
        size /= 1024
    return f"{size:.0f} {unit}" if unit in _UNITS[:2] else f"{size:.1f} {unit}"
