"""The notes of a finding about a call: where its layer was built, and its tensors and their sizes come from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from shapecheck.diagnostics import Note
from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import Shape, Size, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import short_name
from shapecheck.static.domain.objects import ClassValue, Instance, Namespace
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.origins import TensorOrigin, last_write
from shapecheck.static.engine.places import note_at, span, text_of, with_text
from shapecheck.static.provenance.call_operands import (
    INPUT_PARAMETERS,
    OUTPUT_PARAMETERS,
    arguments_of,
    known_sizes,
    tensors_of,
)
from shapecheck.static.provenance.reevaluation import is_same, reevaluate
from shapecheck.static.provenance.sources import source_of
from shapecheck.static.provenance.trace import ScopedExpression, layer_argument, trace

if TYPE_CHECKING:
    from shapecheck.static.engine.run import Run

_MOST_NOTES = 4
_MOST_HOPS = 8
_MOST_TENSORS = 3


def conflict_notes(
    run: Run,
    node: ast.AST,
    callee: str | ModuleSpec,
    args: Sequence[Value],
    kwargs: Mapping[str, Value],
    message: str = "",
    sizes: Sequence[Value] = (),
) -> list[Note]:
    """Notes on where the layer, the tensors and the sizes of a call come from, most useful first.

    `sizes` are the conflicting ones, if the error has them. Without them, an integer argument is taken for the cause
    if the message shows its value.
    """
    try:
        return _Conflict(run, node, callee, args, kwargs, message, sizes).notes()
    except RecursionError:
        return []


def size_notes(run: Run, tensor: TensorSpec, size: Size) -> list[Note]:
    """Notes on where one size of a tensor comes from; empty if that is unknown."""
    try:
        return list(_Conflict(run, ast.Name("_", ast.Load()), "", (), {}, "", ()).of_tensor(tensor, size))
    except RecursionError:
        return []


class _Conflict:
    """A call that a finding is about."""

    def __init__(
        self,
        run: Run,
        node: ast.AST,
        callee: str | ModuleSpec,
        args: Sequence[Value],
        kwargs: Mapping[str, Value],
        message: str,
        sizes: Sequence[Value],
    ) -> None:
        self.run = run
        self.node = node
        self.names = run.frame.scope
        self.layer = callee if isinstance(callee, ModuleSpec) else None
        self.built = None if self.layer is None else run.origins.of_layer(self.layer)
        self.sizes = [one for one in sizes if is_integer(one)]
        known = [kwargs.get(one) if isinstance(one, str) else one for one in sizes]  # a string names an argument
        self.causes = known if all(map(is_integer, known)) else []
        self.numbers = [pair for pair in _numbers(node, args, kwargs) if self._is_cause(pair[1], callee, message)]
        self.tensors = list(tensors_of(node, args, kwargs))[:_MOST_TENSORS]
        self.unnamed: list[tuple[ast.expr | None, TensorSpec]] = []
        self.shown: set[tuple[str, int]] = set()

    def notes(self) -> list[Note]:
        """The notes, except those on the lines of the finding itself."""
        path = self.names.loaded.source.display
        first, _, last, _ = span(self.names.loaded, self.node)
        own = {(path, line) for line in range(first, last + 1)}
        parties = [one for one in self._parties() if (one.path, one.line) not in own]
        # Calls that appear in these notes, or in those on the call stack, are not shown again.
        calls = [frame.call for frame in self.run.outward() if frame.call is not None]
        self.shown = own | {(one.path, one.line) for one in parties}
        self.shown |= {(one.loaded.source.display, span(one.loaded, one.node)[0]) for one in calls}
        every = dict.fromkeys([*parties, *self._sizes(), *self._made()])
        return [one for one in every if (one.path, one.line) not in own][:_MOST_NOTES]

    def _is_cause(self, number: Size, callee: str | ModuleSpec, message: str) -> bool:
        """Whether the error is about this integer argument."""
        if short_name(callee) in names_with(Trait.TAKES_SIZES):
            return True
        return any(is_same(one, number) for one in self.causes) if self.causes else shows_number(message, number)

    def _parties(self) -> Iterator[Note]:
        """The conflicting layer and tensors."""
        if self.built is not None:
            taken = next((one for one in self.sizes if self._parameter_with(one) is not None), None)
            says = "layer built here" if taken is None else f"layer expects {taken}"
            yield note_at(self.built.names.loaded, self.built.node, with_text(says, self.built.node))
        for node, tensor in self.tensors:
            notes = list(self._bound(node, tensor))
            yield from notes
            if not notes:
                self.unnamed.append((node, tensor))

    def _parameter_with(self, size: Size) -> str | None:
        """The parameter of the layer that has this size, None if there is none."""
        for name in INPUT_PARAMETERS:
            value = getattr(self.layer, name, None)
            if is_same(value, size) or (type(value) is tuple and any(is_same(one, size) for one in value)):
                return name
        return None

    def _bound(self, node: ast.expr | None, tensor: TensorSpec) -> Iterator[Note]:
        """Where the name or attribute of a tensor was assigned."""
        owner: Value = None
        name = ""
        if isinstance(node, ast.Name):
            owner, name = self.names, node.id
        elif isinstance(node, ast.Attribute):
            owner, name = reevaluate(self.run, node.value, self.names), node.attr
        if node is None or not isinstance(owner, (Namespace, Instance, ClassValue)):
            return
        last = last_write(owner, name)
        if last is None or last.value is not tensor or owner.fields.get(name) is not tensor:
            return
        loaded = last.around(owner).loaded
        source = source_of(last.node, loaded.tree)
        if source is not None:
            shown = source.value or source.statement
            text = with_text(f"{ast.unparse(node)} has shape {tensor.shape} from here", shown)
            yield note_at(loaded, source.value or last.node, text)

    def _sizes(self) -> Iterator[Note]:
        """Where the conflicting sizes come from."""
        left = list(self.tensors)
        for size in self.sizes:
            parameter = self._parameter_with(size)
            if parameter is not None and self.layer is not None and self.built is not None:
                spot = layer_argument(self.run, self.built, self.layer, parameter, size)
                yield from trace(self.run, spot, size) if spot is not None else ()
                continue
            holder = next((pair for pair in left if _has(pair[1], size)), None)
            if holder is not None:
                left.remove(holder)
                yield from self.of_tensor(holder[1], size)
        if not any(_has(tensor, size) for _, tensor in self.tensors for size in self.sizes):
            yield from self._of_numbers()

    def _made(self) -> Iterator[Note]:
        """Where the tensors without a name were created."""
        for _, tensor in self.unnamed:
            made = self.run.origins.of_tensor(tensor)
            if made is not None:
                yield from self._note_on(made, tensor.shape)

    def _note_on(self, made: TensorOrigin, what: Size | Shape) -> list[Note]:
        """A note on the call that produced a size or a shape, unless it is shown already."""
        text = text_of(made.node)
        note = note_at(made.names.loaded, made.node, f"{what} comes from {text}")
        return [] if not text or (note.path, note.line) in self.shown else [note]

    def _of_numbers(self) -> Iterator[Note]:
        """Where the integer arguments come from, such as the sizes passed to `view`."""
        for node, number in self.numbers:
            if not isinstance(node, ast.Constant):
                yield from trace(self.run, ScopedExpression(self.names, node, inf), number)

    def of_tensor(self, tensor: TensorSpec, size: Size) -> Iterator[Note]:
        """Follows one size of a tensor to the call that produced it."""
        for _ in range(_MOST_HOPS):
            if not _has(tensor, size):  # ambiguous if two sizes are equal
                return
            made = self.run.origins.of_tensor(tensor)
            if made is None:
                yield from self._of_parameter(tensor, size)
                return
            notes = self._of_argument(made, size)
            if notes is not None:
                yield from notes
                return
            holders = [one for _, one in tensors_of(made.node, made.args, made.kwargs) if size in known_sizes(one)]
            if len(holders) != 1:
                yield from () if holders else self._note_on(made, tensor.shape)
                return
            (tensor,) = holders

    def _of_argument(self, made: TensorOrigin, size: Size) -> list[Note] | None:
        """Notes on the argument of this call that is the size, None if the size comes from a tensor."""
        if isinstance(made.callee, ModuleSpec):
            name = next((one for one in OUTPUT_PARAMETERS if is_same(getattr(made.callee, one, None), size)), None)
            built = self.run.origins.of_layer(made.callee)
            if name is None or built is None:
                return None
            spot = layer_argument(self.run, built, made.callee, name, size)
            notes = [] if spot is None else trace(self.run, spot, size)
            text = text_of(built.node)
            return notes or ([note_at(built.names.loaded, built.node, f"{size} comes from {text}")] if text else [])
        if short_name(made.callee) in names_with(Trait.TAKES_SIZES):
            equal = [node for node, number in _numbers(made.node, made.args, made.kwargs) if is_same(number, size)]
            if len(equal) == 1:
                spot = ScopedExpression(made.names, equal[0], made.time)
                return trace(self.run, spot, size) or self._note_on(made, size)
        return None

    def _of_parameter(self, tensor: TensorSpec, size: Size) -> Iterator[Note]:
        """A note on the parameter that has a symbolic size as a dimension."""
        if type(size) is int:
            return
        for frame in self.run.outward():
            call = frame.names.call
            if call is None or call.function is None:
                continue
            for one in parameters_of(call.function.node.args):
                if call.bound.get(one.name) is tensor:
                    text = f"{size} is {_dimension(tensor, size)} of parameter {one.name}"
                    yield note_at(frame.names.loaded, one.node, text)
                    return


def shows_number(message: str, number: Size) -> bool:
    """Whether a message contains a number; the 2 of `2-D` is a rank."""
    return re.search(rf"(?<![\w.-]){re.escape(str(number))}(?![\w*]|-D|\.\d)", message) is not None


def _has(tensor: TensorSpec, size: Size) -> bool:
    return known_sizes(tensor).count(size) == 1


def _dimension(tensor: TensorSpec, size: Size) -> str:
    shown = known_sizes(tensor)
    place = shown.index(size)
    if place == len(shown) - 1 and (tensor.shape.run is None or tensor.shape.tail):
        return "the last dimension"
    return f"dimension {place if place < len(tensor.shape.head) else place - len(shown)}"


def _numbers(node: ast.AST, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Iterator[tuple[ast.expr, Size]]:
    for one, value in arguments_of(node, args, kwargs):
        if one is not None and is_integer(value):
            yield one, value
