"""A figure that a target is set for, and the lines and rows that say whether it is met."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Ratio:
    """One figure of a run, most often a ratio of medians, and its target."""

    what: str
    value: float
    target: float
    at_least: bool = False
    """The target is the least that will do; else it is the most."""

    @property
    def met(self) -> bool:
        return self.value >= self.target if self.at_least else self.value <= self.target

    @property
    def shown(self) -> str:
        """The value to three digits, and counts in full."""
        return number(self.value)

    @property
    def wanted(self) -> str:
        """The target as text."""
        return f"{'at least' if self.at_least else 'at most'} {number(self.target)}"

    def line(self) -> str:
        return f"{self.what}: {self.shown}, target {self.wanted}: {'met' if self.met else 'MISSED'}"


def number(value: float) -> str:
    """Three digits of a fraction, and a whole number in full."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.3g}"


def as_data(ratios: Iterable[Ratio]) -> list[dict[str, Any]]:
    """For a results file."""
    return [asdict(one) for one in ratios]


def from_data(section: Mapping[str, Any]) -> list[Ratio]:
    """The ratios of one section of a results file."""
    return [Ratio(**one) for one in section.get("ratios", ())]
