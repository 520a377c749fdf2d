"""What a probe has counted, as a record for each module of the model."""

from __future__ import annotations

import inspect
from typing import NamedTuple

from torch import nn
from torch.nn.parameter import is_lazy

from shapecheck.harness.probe.paths import Paths
from shapecheck.harness.probe.tree import Node, Seen
from shapecheck.harness.results import ModuleRecord
from shapecheck.runtime.guards.call import shown_as
from shapecheck.runtime.guards.places import is_of_program


def module_records(model: nn.Module, outside: Node) -> tuple[ModuleRecord, ...]:
    """A record for each path, with what all calls that stand for it did. A call below itself counts once."""
    paths = Paths(model)
    by_path: dict[str, list[Node]] = {}
    for node in outside.walk():
        path = paths.exact(node)
        if path is not None:
            by_path.setdefault(path, []).append(node)
    return tuple(
        _record(path, module, by_path.get(path, []), paths)
        for path, module in model.named_modules(remove_duplicate=False)
    )


def _record(path: str, module: nn.Module, nodes: list[Node], paths: Paths) -> ModuleRecord:
    first = next((node for node in nodes if node.calls), None)
    totals = [node.total() for node in nodes if not _is_below_itself(node, path, paths)]
    place = _forward_of(type(module))
    return ModuleRecord(
        path=path,
        kind=type(module).__name__,
        file=place.path,
        line=place.line,
        calls=sum(node.calls for node in nodes),
        inputs=_shown(first.inputs if first else ()),
        outputs=_shown(first.outputs if first else ()),
        parameters=_parameters(module),
        flops=int(sum(flops for flops, _ in totals)),
        moved_bytes=int(sum(moved for _, moved in totals)),
    )


def _is_below_itself(node: Node, path: str, paths: Paths) -> bool:
    return node.parent is not None and any(paths.exact(one) == path for one in node.parent.above())


def _shown(tensors: tuple[Seen, ...]) -> tuple[str, ...]:
    return tuple(shown_as(dtype, sizes) for dtype, sizes in tensors)


def _parameters(module: nn.Module) -> int:
    """Elements; a lazy module has none before its first call."""
    return sum(one.numel() for one in module.parameters() if not is_lazy(one))


class _Place(NamedTuple):
    path: str = ""
    line: int = 0


def _forward_of(kind: type[nn.Module]) -> _Place:
    """Where the forward of a class is defined; nothing for a library's, and where there is no source."""
    code = getattr(inspect.unwrap(kind.forward), "__code__", None)
    if code is None or not is_of_program(code.co_filename):
        return _Place()
    return _Place(code.co_filename, code.co_firstlineno)
