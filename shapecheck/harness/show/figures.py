"""Formats numbers for people: three digits and a unit, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shapecheck.harness.results import CheckResult, Cost, Status

_THOUSANDS = ("", "k", "M", "G", "T", "P", "E")
_SHORT = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def count(number: float) -> str:
    """`1.23M`: of parameters or operations."""
    return _scaled(number, "")


def size(number: float) -> str:
    """`1.23 MB`, in powers of 1000."""
    return f"{_scaled(number, ' ')}B"


def duration(seconds: float) -> str:
    """`1.23 ms`; minutes from 100 seconds on."""
    if seconds >= 99.95:
        minutes, rest = divmod(round(seconds), 60)
        return f"{minutes} min {rest:02} s"
    for unit, name in _SHORT:
        if seconds >= unit * 0.9995:
            return f"{_three_digits(seconds / unit)} {name}"
    return "0 s" if seconds <= 0 else f"{_three_digits(seconds / 1e-9)} ns"


def share(part: float) -> str:
    """`12.3 %`."""
    return f"{_three_digits(100 * part)} %"


def ratio(number: float) -> str:
    """Three digits of a plain number, such as FLOPs per byte."""
    return _three_digits(number)


def plural(number: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def sizes(named: Mapping[str, object]) -> str:
    """`b=2 t=11`."""
    return " ".join(f"{name}={value}" for name, value in named.items())


def checks(done: Iterable[CheckResult]) -> dict[Status, int]:
    """How many checks passed, failed and did not apply, in this order; one that was ended counts as failed."""
    found = {Status.PASSED: 0, Status.FAILED: 0, Status.SKIPPED: 0}
    for check in done:
        found[check.outcome if check.outcome in found else Status.FAILED] += 1
    return found


def memory(cost: Cost) -> int:
    """Bytes of memory of the case: the peak if it was measured, otherwise the sum."""
    if cost.peak_bytes is not None:
        return cost.peak_bytes
    return sum(sum(by_dtype.values()) for by_dtype in cost.memory.values())


def _scaled(number: float, gap: str) -> str:
    sign, number = ("-", -number) if number < 0 else ("", number)
    power = 0
    while number >= 999.5 and power < len(_THOUSANDS) - 1:
        number /= 1000
        power += 1
    digits = f"{number:.0f}" if not power and number == round(number) else _three_digits(number)
    return f"{sign}{digits}{gap}{_THOUSANDS[power]}"


def _three_digits(number: float) -> str:
    """Three digits in all: `1.23`, `12.3`, `123`."""
    if number >= 99.95:
        return f"{number:.0f}"
    return f"{number:.1f}" if number >= 9.995 else f"{number:.2f}"
