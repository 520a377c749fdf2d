"""The tensors that a file assigns to names, as an observed run computed them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.static.observing.observer import RunObserver, precision_of

_MOST = 3


@dataclass(frozen=True)
class AssignedTensors:
    """A name on the left of an assignment, and the different tensors it was bound to, the most precise first."""

    line: int
    name: str
    tensors: Sequence[TensorSpec]

    def text(self) -> str:
        """The tensors, at most three."""
        shown = list(dict.fromkeys(map(str, self.tensors)))
        more = f" or {len(shown) - _MOST} more" if len(shown) > _MOST else ""
        return " or ".join(shown[:_MOST]) + more

    def as_dicts(self, path: str) -> Iterator[dict[str, object]]:
        """For the JSON report: one entry for each tensor."""
        for one in self.tensors:
            dtype = None if one.dtype is None else one.dtype.name
            yield {"path": path, "line": self.line, "name": self.name, "shape": str(one.shape), "dtype": dtype}


def assigned_names(watch: RunObserver, tree: ast.Module) -> list[AssignedTensors]:
    """The names that a file assigns tensors to, in the order of lines."""
    found = [
        AssignedTensors(node.end_lineno or node.lineno, ast.unparse(node), _best_first(watch.bound[node]))
        for node in walk(tree)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store) and node in watch.bound
    ]
    return sorted(found, key=lambda one: one.line)


def _best_first(tensors: Iterable[TensorSpec]) -> list[TensorSpec]:
    """The most precise first; those of unknown rank only if there are no others."""
    ranked = [one for one in tensors if one.rank is not None]
    return sorted(ranked or tensors, key=precision_of, reverse=True)
