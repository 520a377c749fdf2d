"""The uses of sizes: which expressions, assigned names and parameters have which size, while entry points run again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from shapecheck.lsp.worker.probe import notes_on
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import FunctionValue, Namespace
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run
from shapecheck.static.observing.observer import RunObserver
from shapecheck.static.provenance.call_operands import known_sizes

_MOST_TRIES = 4
"""Evaluations of one expression that are looked at: with other arguments, its size may come from elsewhere."""
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class WrittenSize:
    """A number of the source, by the place that it comes from: `path`, and line and column from 1."""

    path: str
    line: int
    column: int
    size: int


@dataclass(frozen=True)
class NamedSize:
    """A size that no number is known of, by its name and the definition inside of which the name means it."""

    scope: ast.AST
    text: str


Dimension = WrittenSize | NamedSize
Use = tuple[SourceModule, ast.expr | ast.arg]


class SizeUses(RunObserver):
    """Records the dimensions that each place of an entry point has."""

    def __init__(self, owner: ast.AST) -> None:
        super().__init__()
        self.found: dict[Use, set[Dimension]] = {}
        self.tensors: set[ast.expr | ast.arg] = set()
        """The places that have the dimensions of a tensor, not those of a size."""
        self._owner = owner
        self._constructed = _constructor_parameters(owner)
        self._tries: dict[ast.AST, int] = {}
        self._is_busy = False
        self._targets: dict[SourceModule, dict[ast.expr, ast.expr]] = {}

    def saw(self, run: Run, node: ast.expr, value: Value) -> None:
        """Records a size, and a tensor that is assigned to a name."""
        super().saw(run, node, value)
        module = run.frame.names.loaded
        target = self._assigned(module).get(node)
        if isinstance(value, TensorSpec):
            if target is not None:
                self._record(run, module, target, node, value)
        elif isinstance(target, ast.Tuple):
            if type(value) is tuple and len(value) == len(target.elts):
                for index, (name, item) in enumerate(zip(target.elts, value, strict=True)):
                    element = ast.Subscript(node, ast.Constant(index), ast.Load())
                    self._record(run, module, name, element, item)
        elif not isinstance(node, ast.Constant):
            self._record(run, module, node, node, value)
            if target is not None and (module, node) in self.found:
                self.found.setdefault((module, target), set()).update(self.found[module, node])

    def left(
        self, run: Run, function: FunctionValue, names: Namespace, bound: Mapping[str, Value], result: Value
    ) -> None:
        """Records the parameters of a call."""
        for one in parameters_of(function.node.args):
            if one.name in bound:
                name = ast.Name(one.name, ast.Load())
                self._record(run, names.loaded, one.node, name, bound[one.name])

    def _record(self, run: Run, module: SourceModule, shown: ast.expr | ast.arg, node: ast.expr, value: Value) -> None:
        if self._is_busy or self._tries.get(shown, 0) >= _MOST_TRIES:
            return
        self._is_busy = True  # to find the origins, expressions are evaluated again
        if isinstance(value, TensorSpec):
            self.tensors.add(shown)
        found = set(self._dimensions(run, node, value))
        self._is_busy = False
        if found:
            self._tries[shown] = self._tries.get(shown, 0) + 1
            self.found.setdefault((module, shown), set()).update(found)

    def _dimensions(self, run: Run, node: ast.expr, value: Value) -> Iterator[Dimension]:
        for size in known_sizes(value) if isinstance(value, TensorSpec) else (value,):
            if isinstance(size, Dim) and "?" not in str(size):
                yield NamedSize(self._scope(run, str(size)), str(size))
        for size, notes in notes_on(run, node, value).items():
            if isinstance(size, int):
                yield WrittenSize(notes[0].path, notes[0].line, notes[0].column, size)

    def _scope(self, run: Run, size: str) -> ast.AST:
        """What a constructor was given is one size for all methods; another name is that of one method."""
        if set(_WORD.findall(size)) <= self._constructed:
            return self._owner
        outer = next((one.function for one in run.frames if one.function is not None), None)
        return outer or self._owner

    def _assigned(self, module: SourceModule) -> dict[ast.expr, ast.expr]:
        """The values of the assignments to one name, attribute or tuple of names, with that."""
        if module not in self._targets:
            every = (one for one in ast.walk(module.tree) if isinstance(one, ast.Assign) and len(one.targets) == 1)
            pairs = ((one.value, one.targets[0]) for one in every)
            self._targets[module] = {
                value: target for value, target in pairs if isinstance(target, (ast.Name, ast.Attribute, ast.Tuple))
            }
        return self._targets[module]


def _constructor_parameters(owner: ast.AST) -> set[str]:
    body = owner.body if isinstance(owner, ast.ClassDef) else []
    made = (one for one in body if isinstance(one, ast.FunctionDef) and one.name == "__init__")
    return {one.name for node in made for one in parameters_of(node.args)}
