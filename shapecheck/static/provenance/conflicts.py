"""The notes of a call that is refused: where its layer was built, its tensors were made and their sizes come from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from shapecheck.diagnostics import Note
from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import Size, TensorSpec
from shapecheck.static.domain.callee_names import short_name
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.domain.values import ClassValue, Instance, Namespace, Value
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.origins import TensorOrigin, last_write
from shapecheck.static.engine.places import note_at, span, text_of, with_text
from shapecheck.static.provenance.reevaluation import is_same, reevaluate
from shapecheck.static.provenance.sources import operands, source_of
from shapecheck.static.provenance.trace import ScopedExpression, layer_argument, trace

if TYPE_CHECKING:
    from shapecheck.static.engine.run import Run

_NUMBER = re.compile(r"-?\w+")
_MOST_NOTES = 4
_MOST_HOPS = 8
_MOST_TENSORS = 3
_TAKEN = (
    "in_features",
    "in_channels",
    "num_features",
    "num_channels",
    "normalized_shape",
    "input_size",
    "embed_dim",
    "hidden_size",
)
"""The parameters of layers that their inputs must fit, under torch's names."""
_GIVEN = ("out_features", "out_channels", "embedding_dim", "hidden_size")
"""The parameters of layers that are sizes of what they give."""


def conflict_notes(
    run: Run,
    node: ast.AST,
    callee: str | ModuleSpec,
    args: Sequence[Value],
    kwargs: Mapping[str, Value],
    message: str = "",
    sizes: Sequence[Value] = (),
) -> list[Note]:
    """What is known of where the layer, the tensors and the sizes of a call come from, most useful first.

    `sizes` are those that do not go together, as far as who refused the call names them.
    """
    try:
        return _Conflict(run, node, callee, args, kwargs, message, sizes).notes()
    except RecursionError:
        return []


class _Conflict:
    """A call that something is said against."""

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
        self.names = run.frame.names
        self.layer = callee if isinstance(callee, ModuleSpec) else None
        self.built = None if self.layer is None else run.origins.of_layer(self.layer)
        self.sizes = [one for one in sizes if is_integer(one)]
        said = set(_NUMBER.findall(message))
        self.numbers = [pair for pair in _numbers(node, args, kwargs) if str(pair[1]) in said]
        self.tensors = list(_tensors(node, args, kwargs))[:_MOST_TENSORS]
        self.unnamed: list[tuple[ast.expr | None, TensorSpec]] = []
        self.shown: set[tuple[str, int]] = set()

    def notes(self) -> list[Note]:
        """The notes, without those on the finding's own lines."""
        path = self.names.loaded.source.display
        first, _, last, _ = span(self.names.loaded, self.node)
        own = {(path, line) for line in range(first, last + 1)}
        parties = [one for one in self._parties() if (one.path, one.line) not in own]
        # Calls that these notes, or those on the calls that led here, show already are not shown again.
        calls = [frame.call for frame in self.run.outward() if frame.call is not None]
        self.shown = own | {(one.path, one.line) for one in parties}
        self.shown |= {(one.loaded.source.display, span(one.loaded, one.node)[0]) for one in calls}
        every = dict.fromkeys([*parties, *self._sizes(), *self._made()])
        return [one for one in every if (one.path, one.line) not in own][:_MOST_NOTES]

    def _parties(self) -> Iterator[Note]:
        """The layer and the tensors that do not go together."""
        if self.built is not None:
            taken = next((one for one in self.sizes if self._taken(one) is not None), None)
            says = "the layer is built here" if taken is None else f"the layer takes {taken}"
            yield note_at(self.built.names.loaded, self.built.node, with_text(says, self.built.node))
        for node, tensor in self.tensors:
            notes = list(self._bound(node, tensor))
            yield from notes
            if not notes:
                self.unnamed.append((node, tensor))

    def _taken(self, size: Size) -> str | None:
        """The parameter of the layer that takes this size."""
        for name in _TAKEN:
            value = getattr(self.layer, name, None)
            if is_same(value, size) or (type(value) is tuple and any(is_same(one, size) for one in value)):
                return name
        return None

    def _bound(self, node: ast.expr | None, tensor: TensorSpec) -> Iterator[Note]:
        """Where the name or attribute of a tensor was bound to it."""
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
            text = with_text(f"{ast.unparse(node)} is {tensor.shape} from here", shown)
            yield note_at(loaded, source.value or last.node, text)

    def _sizes(self) -> Iterator[Note]:
        """Where the sizes come from that do not go together."""
        left = list(self.tensors)
        for size in self.sizes:
            parameter = self._taken(size)
            if parameter is not None and self.layer is not None and self.built is not None:
                spot = layer_argument(self.run, self.built, self.layer, parameter, size)
                yield from trace(self.run, spot, size) if spot is not None else ()
                continue
            holder = next((pair for pair in left if _has(pair[1], size)), None)
            if holder is not None:
                left.remove(holder)
                yield from self._of_tensor(holder[1], size)
        if not any(_has(tensor, size) for _, tensor in self.tensors for size in self.sizes):
            yield from self._of_numbers()

    def _made(self) -> Iterator[Note]:
        """Where the tensors were made that no name was bound to."""
        for _, tensor in self.unnamed:
            made = self.run.origins.of_tensor(tensor)
            if made is not None:
                yield from self._shows(made, tensor.shape)

    def _shows(self, made: TensorOrigin, what: object) -> list[Note]:
        """A call that gave a size or a shape, unless it is shown already."""
        text = text_of(made.node)
        note = note_at(made.names.loaded, made.node, f"{what} comes from {text}")
        return [] if not text or (note.path, note.line) in self.shown else [note]

    def _of_numbers(self) -> Iterator[Note]:
        """Where the numbers among the arguments come from, as the sizes that `view` is given."""
        for node, number in self.numbers:
            if not isinstance(node, ast.Constant):
                yield from trace(self.run, ScopedExpression(self.names, node, inf), number)

    def _of_tensor(self, tensor: TensorSpec, size: Size) -> Iterator[Note]:
        """Follows one size of a tensor to the call that gave it."""
        for _ in range(_MOST_HOPS):
            if not _has(tensor, size):  # of two equal ones nobody knows which it is
                return
            made = self.run.origins.of_tensor(tensor)
            if made is None:
                yield from self._of_parameter(tensor, size)
                return
            notes = self._given(made, size)
            if notes is not None:
                yield from notes
                return
            holders = [one for _, one in _tensors(made.node, made.args, made.kwargs) if size in _shown(one)]
            if len(holders) != 1:
                yield from () if holders else self._shows(made, tensor.shape)
                return
            (tensor,) = holders

    def _given(self, made: TensorOrigin, size: Size) -> list[Note] | None:
        """What gave the size, if that was an argument of this call, None where it came with a tensor."""
        if isinstance(made.callee, ModuleSpec):
            name = next((one for one in _GIVEN if is_same(getattr(made.callee, one, None), size)), None)
            built = self.run.origins.of_layer(made.callee)
            if name is None or built is None:
                return None
            spot = layer_argument(self.run, built, made.callee, name, size)
            notes = [] if spot is None else trace(self.run, spot, size)
            text = text_of(built.node)
            return notes or ([note_at(built.names.loaded, built.node, f"{text} gives {size}")] if text else [])
        if short_name(made.callee) in names_with(Trait.TAKES_SIZES):
            equal = [node for node, number in _numbers(made.node, made.args, made.kwargs) if is_same(number, size)]
            if len(equal) == 1:
                spot = ScopedExpression(made.names, equal[0], made.time)
                return trace(self.run, spot, size) or self._shows(made, size)
        return None

    def _of_parameter(self, tensor: TensorSpec, size: Size) -> Iterator[Note]:
        """Of a symbolic size, the parameter whose axis it is."""
        if type(size) is int:
            return
        for frame in self.run.outward():
            call = frame.names.call
            if call is None or call.function is None:
                continue
            for one in parameters_of(call.function.node.args):
                if call.bound.get(one.name) is tensor:
                    text = f"{size} is {_axis(tensor, size)} of the parameter {one.name}"
                    yield note_at(frame.names.loaded, one.node, text)
                    return


def _has(tensor: TensorSpec, size: Size) -> bool:
    return _shown(tensor).count(size) == 1


def _shown(tensor: TensorSpec) -> list[Size]:
    return [*tensor.shape.head, *tensor.shape.tail]


def _axis(tensor: TensorSpec, size: Size) -> str:
    shown = _shown(tensor)
    place = shown.index(size)
    if place == len(shown) - 1 and (tensor.shape.run is None or tensor.shape.tail):
        return "the last axis"
    return f"axis {place}" if place < len(tensor.shape.head) else f"axis {place - len(shown)}"


def _pairs(
    node: ast.AST, args: Sequence[Value], kwargs: Mapping[str, Value]
) -> Iterator[tuple[ast.expr | None, Value]]:
    """The arguments of a call, each with its expression; those in a tuple or list one by one."""
    pairs = list(zip(operands(node, len(args)), args, strict=True))
    keywords = {one.arg: one.value for one in node.keywords} if isinstance(node, ast.Call) else {}
    pairs += [(keywords.get(name), value) for name, value in kwargs.items()]
    for one, value in pairs:
        yield from _flat(one, value)


def _flat(node: ast.expr | None, value: Value) -> Iterator[tuple[ast.expr | None, Value]]:
    items = getattr(value, "items", value)
    if type(items) is not tuple:
        yield node, value
        return
    inner: Iterable[ast.expr | None] = [None] * len(items)
    if isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) == len(items):
        inner = node.elts
    yield from zip(inner, items, strict=False)


def _tensors(
    node: ast.AST, args: Sequence[Value], kwargs: Mapping[str, Value]
) -> Iterator[tuple[ast.expr | None, TensorSpec]]:
    for one, value in _pairs(node, args, kwargs):
        if isinstance(value, TensorSpec):
            yield one, value


def _numbers(node: ast.AST, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Iterator[tuple[ast.expr, Size]]:
    for one, value in _pairs(node, args, kwargs):
        if one is not None and is_integer(value):
            yield one, value
