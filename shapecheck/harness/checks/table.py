"""The checks, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.check_context import CheckContext
from shapecheck.harness.run_options import RunOptions

CheckFunction = Callable[[CheckContext], Iterator[Diagnostic]]
_CHECKS: list[Check] = []


class Check(NamedTuple):
    """A check. name: that of its file. needs_data: whether it needs tensors with data."""

    order: int
    name: str
    run: CheckFunction
    needs_data: bool
    wanted: Callable[[RunOptions], bool]


class Skip(Exception):
    """The check does not apply to this case; the message is the reason."""


def check(
    order: int, *, needs_data: bool = False, wanted: Callable[[RunOptions], bool] = lambda _: True
) -> Callable[[CheckFunction], CheckFunction]:
    """Registers a check under the name of its file.

    order: fast checks with clear findings come first. wanted: whether a run includes it.
    """

    def enter(ask: CheckFunction) -> CheckFunction:
        _CHECKS.append(Check(order, ask.__module__.rpartition(".")[2], ask, needs_data, wanted))
        return ask

    return enter


@cache
def all_checks() -> tuple[Check, ...]:
    """All checks, in order."""
    import shapecheck.harness.checks as folder  # noqa: PLC0415 - it is this package

    for file in iter_modules(folder.__path__):
        import_module(f"{folder.__name__}.{file.name}")
    return tuple(sorted(_CHECKS, key=lambda one: (one.order, one.name)))
