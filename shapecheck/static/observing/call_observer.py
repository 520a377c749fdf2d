"""An observer that keeps what each call shows about the arguments and the result of its function."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Size, TensorSpec, VariadicAxes, axis, substitute
from shapecheck.spec.dim import is_variable, variables
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.objects import FunctionValue, ListValue, Namespace, Object
from shapecheck.static.domain.substitution import substitute as substitute_sizes
from shapecheck.static.engine.argument_binding import parameters_of, positional_names
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run
from shapecheck.static.observing.broadcasts import broadcast_arguments
from shapecheck.static.observing.joining_facts import join_calls, join_values
from shapecheck.static.observing.observer import Function, RunObserver
from shapecheck.static.observing.shared_axes import SharedAxes
from shapecheck.static.observing.signature_facts import CallFacts, Kind, ShapeFacts, SizeFacts, ValueFacts
from shapecheck.static.observing.size_paths import size_paths

_DTYPES = {"float": "Float", "complex": "Complex", "bool": "Bool", "signed": "Int", "unsigned": "UInt"}
_PLAIN: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "bool"),
    ((int, Dim), "int"),
    ((float, UnknownFloat), "float"),
    (str, "str"),
)
_MOST_PATHS = 8
_MOST_BUILT = 6
BUILT = "built"
"""In the place of a call: what a `forward` requires on an object that the entry point builds."""


class CallPlace(NamedTuple):
    """Where a call was observed."""

    entry: str
    """The function that was analyzed in isolation; empty for the body of a module."""
    callers: tuple[str, ...]
    """The active functions from there to the one that calls."""
    where: str
    """The place of the call."""
    options: str = ""
    """Which optional arguments the entry point has."""


@dataclass(slots=True)
class ObservedCalls:
    """What the calls of one function show."""

    required: CallFacts | None = None
    """With the arguments that its body requires."""
    called: CallFacts | None = None
    """In the calls of the project."""
    calls: dict[CallPlace, CallFacts] = field(default_factory=dict)
    """In each call of the project."""


@dataclass
class CallObserver(RunObserver):
    """Joins what all calls of a function show; the function in `entry` is called with what its body requires."""

    found: dict[Function, ObservedCalls] = field(default_factory=dict)
    places: dict[Function, str] = field(default_factory=dict)
    """The displayed path of the file of each function."""
    last: CallFacts | None = None
    """The last call of the function in `entry`."""
    entry: ast.AST | None = None
    entry_key: str = ""
    options: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def saw(self, *_: object) -> None:
        """Does not record expressions."""

    def bind(self, *_: object) -> None:
        """Does not record names."""

    def left(
        self, run: Run, function: FunctionValue, names: Namespace, bound: Mapping[str, Value], result: Value
    ) -> None:
        """Records a call."""
        if not isinstance(function.node, ast.Lambda):
            facts = self._facts(run, function, names, bound, result)
            if function.node is self.entry:
                self.last = facts
                return
            self.add_call(function, CallPlace(self.entry_key, _callers(run), _where(run), self.options), facts)

    def reused(self, run: Run, node: ast.AST, function: FunctionValue, bound: Value, result: Value) -> None:
        """Records a call at another place than an equal one."""
        if isinstance(bound, dict) and not isinstance(function.node, ast.Lambda) and function.node is not self.entry:
            facts = self._facts(run, function, Namespace(function.closure.loaded), bound, result)
            where = _place(run.loaded.source.display, node)
            self.add_call(function, CallPlace(self.entry_key, _functions(run.frames), where, self.options), facts)

    def _facts(
        self, run: Run, function: FunctionValue, names: Namespace, bound: Mapping[str, Value], result: Value
    ) -> CallFacts:
        def settled(size: Size) -> Size:
            found: Size = run.knowledge.settled(size)  # type: ignore[assignment]  # a size for a size
            return found

        known = {
            name: one if isinstance(one, Object) else substitute_sizes(one, settled) for name, one in bound.items()
        }
        facts = call_facts(function, names, known, substitute_sizes(result, settled))
        if facts.result.kind is Kind.TENSOR:
            broadcasts = broadcast_arguments(bound, result, settled)
            facts = replace(facts, result=replace(facts.result, broadcasts=broadcasts))
        return facts

    def add_call(self, function: FunctionValue, place: CallPlace, facts: CallFacts) -> None:
        """Records a call at a place in the analysis of an entry point."""
        if not isinstance(function.node, ast.Lambda):
            self.places[function.node] = function.closure.loaded.source.display
            calls = self.found.setdefault(function.node, ObservedCalls()).calls
            calls[place] = join_calls(calls[place], facts) if place in calls else facts

    def types_passed_to(self, constructor: FunctionValue) -> dict[str, str]:
        """The types of the arguments of a constructor that have the same plain type in all calls so far."""
        node = constructor.node
        found: dict[str, set[str]] = {}
        if not isinstance(node, ast.Lambda) and node in self.found:
            for facts in self.found[node].calls.values():
                for name, one in facts.arguments.items():
                    found.setdefault(name, set()).add(one.text)
        return {name: texts.pop() for name, texts in found.items() if len(texts) == 1}

    def knows_little(self, function: FunctionValue) -> bool:
        """Whether a function has an argument of unknown shape, as far as its body shows, and few known calls."""
        observed = self.found.get(function.node) if not isinstance(function.node, ast.Lambda) else None
        if observed is None or observed.required is None:
            return observed is None or len(observed.calls) < _MOST_BUILT
        shapes = [one.shape for one in observed.required.arguments.values()]
        is_open = any(one is None or one.says_nothing for one in shapes) or observed.required.result.has_unknown
        return is_open and len(observed.calls) < _MOST_BUILT

    def require(self, function: FunctionValue, facts: CallFacts) -> None:
        """Records what the body of a function requires and returns."""
        if not isinstance(function.node, ast.Lambda):
            self.places[function.node] = function.closure.loaded.source.display
            known = self.found.setdefault(function.node, ObservedCalls())
            known.required = facts if known.required is None else join_calls(known.required, facts)


def _where(run: Run) -> str:
    """The place of the current call."""
    place = run.frame.call
    if place is None:
        return ""
    return _place(place.loaded.source.display, place.node)


def _place(path: str, node: ast.AST) -> str:
    return f"{path}:{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}"


def _callers(run: Run) -> tuple[str, ...]:
    """The keys of the active functions except the innermost one."""
    return _functions(run.frames[:-1])


def _functions(frames: Iterable[Frame]) -> tuple[str, ...]:
    return tuple(
        f"{one.names.loaded.source.display}:{getattr(one.function, 'lineno', 0)}"
        for one in frames
        if one.function is not None
    )


def entry_key(function: FunctionValue) -> str:
    """The key of a function as the one that is analyzed in isolation."""
    return f"{function.closure.loaded.source.display}:{getattr(function.node, 'lineno', 0)}"


def call_facts(function: FunctionValue, names: Namespace, bound: Mapping[str, Value], result: Value) -> CallFacts:
    """What one call shows."""
    receiver = next(iter(positional_names(function.node.args)), None) if function.owner is not None else None
    parameters = [one.name for one in parameters_of(function.node.args) if one.name != receiver]
    arguments = {name: bound[name] for name in parameters if name in bound}
    local = {
        name: value
        for name, value in names.fields.items()
        if isinstance(name, str) and isinstance(value, Dim) and name not in arguments
    }
    shared = SharedAxes((*arguments.values(), result))
    # A constructor has no attributes when its arguments are checked.
    known = None if getattr(function.node, "name", "") == "__init__" else receiver
    reader = _Reader(size_paths({**arguments, **_receiver(bound, known)}, known), local, arguments, shared)
    return CallFacts(
        {name: reader.value(value, name) for name, value in arguments.items()}, reader.value(result, "return")
    )


def _receiver(bound: Mapping[str, Value], receiver: str | None) -> dict[str, Value]:
    return {receiver: bound[receiver]} if receiver is not None and receiver in bound else {}


class _Reader:
    """Turns the values of one call into facts."""

    def __init__(
        self,
        paths: Mapping[Size, tuple[str, ...]],
        local: Mapping[str, Dim],
        arguments: Mapping[str, Value],
        shared: SharedAxes,
    ) -> None:
        self._shared = shared
        self._runs: dict[VariadicAxes, int] = {}
        self._paths = {size: tuple(one for one in found)[:_MOST_PATHS] for size, found in paths.items()}
        self._names: dict[Size, list[str]] = {}
        for name, size in local.items():
            self._names.setdefault(size, []).append(name)
        self._keys: dict[Size, int] = {}
        self._anchors: dict[Dim, str] = {}
        for name, value in arguments.items():
            for place, size in _anchors(value, name):
                self._anchors.setdefault(size, place)

    def value(self, value: Value, place: str) -> ValueFacts:
        """The facts about a value."""
        if isinstance(value, TensorSpec):
            return ValueFacts() if mark_of(value) is not None else self._tensor(value)
        if value is None:
            return ValueFacts(Kind.NONE)
        if isinstance(value, Alternatives):
            return self._alternatives(value, place)
        if isinstance(value, Unknown) and not isinstance(value, UnknownFloat):
            return ValueFacts()
        if type(value) is tuple:
            return ValueFacts(Kind.TUPLE, items=tuple(self.value(one, place) for one in value))
        if isinstance(value, ListValue) and not value.lost and value.items:
            items = [self.value(one, place) for one in value.items]
            common = items[0]
            for one in items[1:]:
                common = ValueFacts() if ValueFacts() in (common, one) else join_values(common, one)
            return ValueFacts(Kind.LIST, items=(common,))
        text = next((text for kinds, text in _PLAIN if isinstance(value, kinds)), "")
        return ValueFacts(Kind.OTHER, text=text)

    def _alternatives(self, value: Alternatives, place: str) -> ValueFacts:
        found = [self.value(one, place) for one in value.members]
        joined = found[0]
        for one in found[1:]:
            joined = join_values(joined, one)
        return joined

    def _tensor(self, value: TensorSpec) -> ValueFacts:
        shape = self._shared.expanded(value.shape)
        head = tuple(map(self._size, shape.head))
        tail = None if shape.run is None else tuple(map(self._size, shape.tail))
        dtype = None if value.dtype is None else _DTYPES.get(value.dtype.kind)
        run = 0 if shape.run is None else self._runs.setdefault(shape.run, hash((4, len(self._runs))))
        return ValueFacts(Kind.TENSOR, shape=ShapeFacts(head, tail, run), dtype=dtype)

    def _size(self, size: Size) -> SizeFacts:
        paths = self._paths.get(size, ())
        if not isinstance(size, Dim):
            return SizeFacts(hash((0, size)), size, paths)
        key = self._keys.setdefault(size, hash((1, len(self._keys))))
        hint = (size.name,) if is_variable(size) and size.name.isidentifier() else ()
        names = tuple(dict.fromkeys((*self._names.get(size, ()), *hint)))
        return SizeFacts(
            key, None, paths, self._expression(size), names, is_symbolic=True, is_variable=is_variable(size)
        )

    def _expression(self, size: Dim) -> str | None:
        tokens: dict[Dim, Size] = {}
        for leaf in variables(size):
            paths = self._paths.get(leaf, ())
            token = f"{{{paths[0]}}}" if paths else self._anchors.get(leaf)
            if token is None:
                return None
            tokens[leaf] = axis(token, "")
        return str(substitute(size, tokens)).replace(" ", "")


def _anchors(value: Value, name: str) -> Iterator[tuple[str, Dim]]:
    """The places of the sizes of an argument that are one unknown size."""
    if isinstance(value, Alternatives):
        for one in value.members:
            yield from _anchors(one, name)
    if isinstance(value, TensorSpec) and mark_of(value) is None:
        shape = value.shape
        places = [*enumerate(shape.head), *((index - len(shape.tail), one) for index, one in enumerate(shape.tail))]
        yield from ((f"@{name}:{index}", one) for index, one in places if isinstance(one, Dim) and is_variable(one))
