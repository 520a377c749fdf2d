"""Figures of two runs of a case that differ by more than the tolerance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from shapecheck.harness.results import Cost
from shapecheck.harness.show import figures


@dataclass(frozen=True)
class Tolerance:
    """The fraction of the smaller figure by which two figures may differ. Numbers of parameters may not differ."""

    figures: float = 0.05
    times: float = 0.5
    """The same for timings, which vary between runs."""


@dataclass(frozen=True)
class Differing:
    """A figure that differs, as text; an empty string if it does not exist."""

    name: str
    before: str
    after: str
    of_device: bool
    """Whether it depends on the device: its speed, and what its kernels move and keep."""


@dataclass(frozen=True)
class _Figure:
    value: float
    words: Callable[[float], str]
    of_device: bool = False
    timed: bool = False


def differing(before: Cost, after: Cost, tolerance: Tolerance) -> Iterator[Differing]:
    """The figures that differ by more than the tolerance, with their ratio."""
    old, new = dict(_figures(before)), dict(_figures(after))
    for name in {**old, **new}:
        one, other = old.get(name), new.get(name)
        if one is None or other is None:
            known = one or other
            if known is not None and not known.timed:
                yield Differing(name, _words(one), _words(other), known.of_device)
        elif _apart(one.value, other.value) > (tolerance.times if one.timed else tolerance.figures):
            yield Differing(name, _words(one), _words(other) + _ratio(one.value, other.value), one.of_device)
    if before.bound != after.bound:
        yield Differing("limited by", before.bound, after.bound, of_device=True)


def _figures(cost: Cost) -> Iterator[tuple[str, _Figure]]:
    yield "FLOPs", _Figure(cost.flops, figures.count)
    if cost.backward_flops is not None:
        yield "backward FLOPs", _Figure(cost.backward_flops, figures.count)
    yield "bytes moved", _Figure(cost.moved_bytes, figures.size, of_device=True)
    for what, by_dtype in cost.memory.items():
        for dtype, size in by_dtype.items():
            yield f"memory of {what}, {dtype}", _Figure(size, figures.size, of_device=what == "activations")
    if cost.peak_bytes is not None:
        yield "peak memory", _Figure(cost.peak_bytes, figures.size, of_device=True, timed=True)
    if cost.seconds is not None:
        yield "time", _Figure(cost.seconds, figures.duration, of_device=True, timed=True)
    if cost.mfu is not None:
        yield "MFU", _Figure(cost.mfu, figures.share, of_device=True, timed=True)


def _apart(one: float, other: float) -> float:
    small, large = sorted((one, other))
    if small == large:
        return 0.0
    return (large - small) / small if small > 0 else float("inf")


def _words(figure: _Figure | None) -> str:
    return "" if figure is None else figure.words(figure.value)


def _ratio(before: float, after: float) -> str:
    return f" ({figures.ratio(after / before)} times)" if before else ""
