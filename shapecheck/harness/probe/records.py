"""The counts of a probe as a record for each module of the model."""

from __future__ import annotations

import inspect
from functools import lru_cache

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from shapecheck.harness.probe.memory_layout import layout_text
from shapecheck.harness.probe.paths import Paths
from shapecheck.harness.probe.tree import Node, TensorSummary
from shapecheck.harness.results import ModuleRecord
from shapecheck.runtime.guards.call import shown_as
from shapecheck.runtime.guards.places import is_of_program


def module_records(paths: Paths, outside: Node) -> tuple[ModuleRecord, ...]:
    """A record for each path, with the totals of all its calls. A recursive call counts once."""
    nodes = outside.walk()
    totals = _totals(nodes)
    sums: dict[str, _Sum] = {}
    for node in nodes:
        path = paths.exact(node)
        if path is not None:
            sums.setdefault(path, _Sum()).add(node, totals[node], _is_below_itself(node, path, paths))
    parameters, nothing = _parameters(paths), _Sum()
    places = {kind: _forward_of(kind) for kind in {type(module) for _, module in paths.modules}}
    return tuple(
        _record(path, type(module), places[type(module)], sums.get(path, nothing), parameters[path])
        for path, module in paths.modules
    )


def _totals(nodes: list[Node]) -> dict[Node, tuple[int, int]]:
    """flops and moved_bytes including all below. nodes: callers first, so that in reverse each precedes its caller."""
    totals = {node: (node.flops, node.moved_bytes) for node in nodes}
    for node in reversed(nodes):
        if node.parent is not None:
            flops, moved = totals[node.parent]
            totals[node.parent] = (flops + totals[node][0], moved + totals[node][1])
    return totals


class _Sum:
    """The sum of several nodes of one path."""

    __slots__ = ("calls", "first", "flops", "moved_bytes")

    def __init__(self) -> None:
        self.calls = self.flops = self.moved_bytes = 0
        self.first: Node | None = None

    def add(self, node: Node, total: tuple[int, int], is_below_itself: bool) -> None:
        self.calls += node.calls
        if self.first is None and node.calls:
            self.first = node
        if not is_below_itself:
            self.flops += total[0]
            self.moved_bytes += total[1]


def _is_below_itself(node: Node, path: str, paths: Paths) -> bool:
    return node.parent is not None and any(paths.exact(one) == path for one in node.parent.above())


def _record(path: str, kind: type[nn.Module], place: tuple[str, int], of: _Sum, parameters: int) -> ModuleRecord:
    file, line = place
    return ModuleRecord(
        path=path,
        kind=kind.__name__,
        file=file,
        line=line,
        calls=of.calls,
        inputs=() if of.first is None else _shown(of.first.inputs),
        outputs=() if of.first is None else _shown(of.first.outputs),
        parameters=parameters,
        flops=int(of.flops),
        moved_bytes=int(of.moved_bytes),
    )


def _parameters(paths: Paths) -> dict[str, int]:
    """Elements at and below each path, each parameter once; a lazy one has none before its first call."""
    known: dict[str, dict[int, int]] = {}
    for path, module in reversed(paths.modules):
        found = known.setdefault(path, {})
        for one in module._parameters.values():
            if one is not None and not is_lazy(one):
                found[id(one)] = one.numel()
        if path:
            known.setdefault(path.rpartition(".")[0], {}).update(found)
    return {path: sum(found.values()) for path, found in known.items()}


def _shown(tensors: tuple[TensorSummary, ...]) -> tuple[str, ...]:
    return tuple(_shown_one(*one) for one in tensors)


@lru_cache(maxsize=4096)
def _shown_one(dtype: torch.dtype, shape: torch.Size, strides: tuple[int, ...]) -> str:
    layout = layout_text(shape, strides) if len(strides) == len(shape) else ""
    return f"{shown_as(dtype, shape)} {layout}".rstrip()


def _forward_of(kind: type[nn.Module]) -> tuple[str, int]:
    """Where the forward of a class is defined; nothing for a library, or if there is no source."""
    code = getattr(inspect.unwrap(kind.forward), "__code__", None)
    if code is None or not is_of_program(code.co_filename):
        return "", 0
    return code.co_filename, code.co_firstlineno
