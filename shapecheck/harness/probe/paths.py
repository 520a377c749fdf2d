"""From modules that were called to their paths in the model."""

from __future__ import annotations

from torch import nn

from shapecheck.harness.probe.tree import Node


class Paths:
    """Knows all paths of each module: one that is shared has several."""

    def __init__(self, model: nn.Module) -> None:
        self._paths: dict[int, list[str]] = {}
        for path, module in model.named_modules(remove_duplicate=False):
            self._paths.setdefault(id(module), []).append(path)
        self._of: dict[Node, str] = {}

    def of(self, node: Node) -> str:
        """The path of a node, or of its innermost caller that has one; empty for the model and outside it."""
        return next((path for one in node.above() if (path := self.exact(one)) is not None), "")

    def exact(self, node: Node) -> str | None:
        """The path of a node itself; of several, one below its caller, else the first. None outside the model."""
        if node.module is None:
            return None
        known = self._of.get(node)
        if known is not None:
            return known
        paths = self._paths.get(id(node.module), [])
        if len(paths) > 1 and node.parent is not None:
            prefix = self.of(node.parent)
            below = [path for path in paths if path.startswith(f"{prefix}." if prefix else "")]
            paths = below or paths
        if not paths:
            return None
        self._of[node] = paths[0]
        return paths[0]
