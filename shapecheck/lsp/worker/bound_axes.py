"""What the axis names of a function are bound to, at each call of it that the open documents have."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

from shapecheck.lsp.worker.axis_names import Function
from shapecheck.lsp.worker.entries import observe, until_late, using
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.spec import Bindings
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue, Namespace
from shapecheck.static.engine.places import Place, span, text_of
from shapecheck.static.engine.run import Run
from shapecheck.static.observing.observer import RunObserver

_SECONDS = 1.0
"""For which calls are looked for: a pointer may rest on an annotation by accident."""
_MOST = 12
"""Calls that are shown."""


class _Calls(RunObserver):
    """Records the bindings of the calls of one function."""

    def __init__(self, node: Function) -> None:
        super().__init__()
        self.found: dict[str, None] = {}
        self._node = node

    def left(
        self, run: Run, function: FunctionValue, names: Namespace, bound: Mapping[str, Value], result: Value
    ) -> None:
        """Records a call with a place: the one in isolation has made up its arguments."""
        frame = run.frame
        if function.node is self._node and frame.call is not None and frame.agreement is not None:
            text = _text(frame.agreement.bindings)
            if text:
                self.found[f"- `{text}` at {_shown(frame.call)}"] = None


def calls_of(project: EditedProject, path: Path, function: Function) -> list[str]:
    """The calls, each as an item of a Markdown list: its bindings and its place."""
    calls = _Calls(function)
    for analysis, entry in until_late(using(project, path), _SECONDS):
        observe(analysis, entry, calls)
    found = list(calls.found)
    return [*found[:_MOST], *([f"- and {len(found) - _MOST} more"] if len(found) > _MOST else [])]


def _text(bindings: Bindings) -> str:
    sizes = [f"{name}={size}" for name, size in bindings.sizes.items()]
    return ", ".join([*sizes, *(f"*{name}={shape}" for name, (_, shape) in bindings.runs.items())])


def _shown(call: Place) -> str:
    line = span(call.loaded, call.node)[0]
    text = text_of(call.node) if isinstance(call.node, ast.Call) else ""
    where = f"{call.loaded.source.path.name}:{line}"
    return f"`{text}` ({where})" if text else where
