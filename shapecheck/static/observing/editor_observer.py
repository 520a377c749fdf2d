"""An observer for editors: also what functions receive and return."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from shapecheck.project.tree_walk import walk
from shapecheck.spec import Dim, Size, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue, Namespace
from shapecheck.static.domain.substitution import substitute
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.run import Run
from shapecheck.static.observing.observer import Precision, RunObserver

Returned = TensorSpec | tuple[TensorSpec, ...]


class EditorObserver(RunObserver):
    """Keeps the different tensors that each parameter was bound to, and that each function returned."""

    def __init__(self) -> None:
        super().__init__()
        self.parameters: dict[ast.arg, dict[TensorSpec, None]] = {}
        self.results: dict[ast.AST, dict[Returned, None]] = {}

    def saw(self, run: Run, node: ast.expr, value: Value) -> None:
        """Records the value of an expression; what an argument has learned from its uses replaces what was seen."""
        super().saw(run, node, value)
        if type(value) is TensorSpec and self.sees_all:
            level, known = self.values.get(node, (Precision.NO_TENSOR, None))
            if known is not value and isinstance(known, TensorSpec) and _is_learned_from(value, known):
                self.values[node] = level, value

    def forget(self, node: ast.AST) -> None:
        """Drops what is known about a definition, because it runs again."""
        for one in walk(node):
            for known in (self.values, self.decided, self.bound, self.parameters, self.results):
                known.pop(one, None)  # type: ignore[call-overload]  # a node of another kind is no key

    def left(
        self, run: Run, function: FunctionValue, names: Namespace, bound: Mapping[str, Value], result: Value
    ) -> None:
        """Records a call."""
        if isinstance(function.node, ast.Lambda):
            return

        def settled(size: Size) -> Size:
            found: Size = run.knowledge.settled(size)  # type: ignore[assignment]  # a size for a size
            return found

        for one in parameters_of(function.node.args):
            value = bound.get(one.name)
            if isinstance(value, TensorSpec):
                known = self.parameters.setdefault(one.node, {})
                if self.sees_all or not known:
                    known[substitute(value, settled)] = None
        tensors = isinstance(result, TensorSpec) or (
            type(result) is tuple and all(isinstance(one, TensorSpec) for one in result) and bool(result)
        )
        if tensors:
            self.results.setdefault(function.node, {})[substitute(result, settled)] = None  # type: ignore[index]


def _is_learned_from(value: TensorSpec, known: TensorSpec) -> bool:
    """Whether a tensor is another one with some of its sizes known."""
    if value.rank is None or value.rank != known.rank:
        return False
    numbers, before = (sum(type(one) is int for one in tensor.dims) for tensor in (value, known))
    return before < numbers < value.rank and any(isinstance(one, Dim) for one in value.dims)
