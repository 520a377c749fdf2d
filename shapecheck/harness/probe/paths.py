"""Maps called modules to their paths in the model."""

from __future__ import annotations

from collections.abc import Iterator

from torch import nn

from shapecheck.harness.probe.tree import Node


def _walked(model: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Each path with its module, in the order of `named_modules`; a shared module at each of its paths.

    A module that is registered below itself is followed once.
    """
    waiting: list[tuple[str, nn.Module, tuple[nn.Module, ...]]] = [("", model, ())]
    while waiting:
        path, module, above = waiting.pop()
        yield path, module
        below = [
            (f"{path}.{name}" if path else name, child, (*above, module))
            for name, child in module._modules.items()
            if child is not None and child is not module and all(child is not one for one in above)
        ]
        waiting.extend(reversed(below))


class Paths:
    """All paths of each module: a shared one has several."""

    def __init__(self, model: nn.Module) -> None:
        self.modules = list(_walked(model))
        """Each path with its module, the model itself first."""
        self._paths: dict[int, list[str]] = {}
        for path, module in self.modules:
            self._paths.setdefault(id(module), []).append(path)
        self._of: dict[Node, str | None] = {}

    def of(self, node: Node) -> str:
        """The path of a node, or of its innermost caller with a path; empty for the model and outside it."""
        return next((path for one in node.above() if (path := self.exact(one)) is not None), "")

    def exact(self, node: Node) -> str | None:
        """The path of a node itself; of several, one below its caller, otherwise the first. None outside the model."""
        if node not in self._of:
            self._of[node] = self._chosen(node)
        return self._of[node]

    def _chosen(self, node: Node) -> str | None:
        paths = self._paths.get(id(node.module), [])
        if len(paths) > 1 and node.parent is not None:
            caller = self.of(node.parent)
            prefix = f"{caller}." if caller else ""
            return next((path for path in paths if path.startswith(prefix)), paths[0])
        return paths[0] if paths else None
