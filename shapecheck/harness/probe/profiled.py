"""Copies inside operators, which no mode sees: measured with torch's profiler, at several times the cost.

Each operator runs inside a mark that represents the line that called it; a copy that the profiler saw below a mark is
attributed to that line. Bytes are those that are written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from math import prod
from types import TracebackType
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

from shapecheck.harness.probe.dynamo import Mode
from shapecheck.harness.probe.lines import Lines
from shapecheck.harness.probe.operator_plans import PLANS, plan_of
from shapecheck.harness.probe.paths import Paths
from shapecheck.harness.probe.tree import Node, Tree
from shapecheck.harness.results import LineRecord
from shapecheck.runtime.guards.places import SourceLocation, place_of_caller

_MARK = "shapecheck "
_COPIES = frozenset({"clone", "copy_", "to", "contiguous"})
"""Operators that copy on the program's behalf; a probe reports them."""


class Profiled:
    """Observes what this thread runs in a `with` block, like a Probe, for copies that operators make themselves.

    Does not change results; takes several times as long. If torch's profiler returns no tree of events, nothing is
    found.
    """

    def __init__(self, model: nn.Module) -> None:
        self._model = model
        self._tree = Tree()
        self._marks = _Marks(self._tree)
        self._profile: Any = None
        self._around: ExitStack | None = None

    def __enter__(self) -> Profiled:
        with ExitStack() as around:
            self._profile = around.enter_context(profile(activities=[ProfilerActivity.CPU], record_shapes=True))
            around.callback(self._tree.leave)
            self._tree.watch()
            around.enter_context(self._marks)
            self._around = around.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        around, self._around = self._around, None
        if around is not None:
            around.close()
        self._tree.failed = None

    def lines(self) -> tuple[LineRecord, ...]:
        """The copies by file and line; `operator` is the one that makes them."""
        lines = Lines()
        for number, moved in _copies(_events(self._profile)):
            call = self._marks.calls[number]
            lines.add("copy", call.operator, moved, call.node, call.place)
        return lines.records(Paths(self._model).of)


class _Call(NamedTuple):
    operator: str
    place: SourceLocation
    node: Node


class _Marks(Mode):  # type: ignore[no-untyped-call]
    """Runs each operator inside a mark whose number is that of its call."""

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self.calls: list[_Call] = []
        self._tree = tree

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        plan = PLANS.get(id(func)) or plan_of(func)
        if plan.parts is not None:
            with self:
                return plan.parts(*args, **(kwargs or {}))
        if plan.is_free or plan.name in _COPIES:
            return func(*args, **(kwargs or {}))
        number = len(self.calls)
        self.calls.append(_Call(plan.name, place_of_caller(sys._getframe(1)), self._tree.node))
        with torch.profiler.record_function(f"{_MARK}{number}"):
            return func(*args, **(kwargs or {}))


def _events(profiled: Any) -> list[Any]:
    """The events without a parent."""
    try:
        return list(profiled.profiler.kineto_results.experimental_event_tree())
    except (AttributeError, RuntimeError):
        return []


def _copies(events: Iterable[Any], mark: int | None = None, above: str = "") -> Iterator[tuple[int, int]]:
    """The number of the mark and the bytes of each copy below one."""
    for event in events:
        name = event.name
        if mark is not None and name == "aten::copy_":
            moved = _moved(event, above)
            if moved:
                yield mark, moved
            continue
        inner = int(name.removeprefix(_MARK)) if name.startswith(_MARK) else mark
        yield from _copies(event.children, inner, name)


def _moved(event: Any, above: str) -> int:
    """The bytes that a copy writes to change the layout or dtype of elements; 0 for other copies."""
    target, source = event.extra_fields.inputs[:2]
    sizes, strides = list(target.sizes), list(source.strides)
    if list(source.sizes) != sizes or prod(sizes) < 2:
        return 0
    if 0 in strides and "add" in above:  # a bias is copied into the result of a product, which is added to it
        return 0
    if source.dtype is target.dtype and _order(sizes, strides) == _order(sizes, list(target.strides)):
        return 0
    return int(prod(sizes) * target.dtype.itemsize)


def _order(sizes: list[int], strides: list[int]) -> list[int]:
    """Strides of the axes that have more than one element: the others may have any."""
    return [stride for size, stride in zip(sizes, strides, strict=True) if size > 1]
