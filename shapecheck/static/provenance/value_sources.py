"""The source of a tensor: the expression, parameter, layer or annotation that a fact about it comes from.

A source is a string that begins with its place, so that it is the same in every process and run.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import short_name
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, Namespace
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.closures import holder
from shapecheck.static.engine.origins import TensorOrigin, last_write
from shapecheck.static.engine.places import span
from shapecheck.static.provenance.call_operands import OUTPUT_PARAMETERS, known_sizes, tensors_of
from shapecheck.static.provenance.reevaluation import is_same, reevaluate

if TYPE_CHECKING:
    from shapecheck.static.engine.loading import SourceModule
    from shapecheck.static.engine.run import Run

_MOST_HOPS = 8
_MOST_CALLERS = 3


class Fact(NamedTuple):
    """A size, the rank, the dtype or the layout of a tensor."""

    kind: str
    value: Value

    def holds_of(self, tensor: TensorSpec) -> bool:
        """Whether the tensor has it."""
        if self.kind == "size":
            return any(is_same(one, self.value) for one in known_sizes(tensor))
        return bool(self.value == (tensor.rank if self.kind == "rank" else tensor.dtype))


class ValueSource(NamedTuple):
    """The source of a value, and the places of the calls that a fact passed through since."""

    text: str
    passed: tuple[str, ...] = ()


def source_of_tensor(
    run: Run, names: Namespace, node: ast.expr | None, tensor: TensorSpec, fact: Fact | None
) -> ValueSource | None:
    """The source of a fact about a tensor, which `node` evaluates to; of the tensor itself without a fact.

    A fact is followed through the operators that keep it. None if the source is unknown.
    """
    try:
        return _followed(run, names, node, tensor, fact)
    except RecursionError:
        return None


def _followed(
    run: Run, names: Namespace, node: ast.expr | None, tensor: TensorSpec, fact: Fact | None
) -> ValueSource | None:
    passed: list[str] = []
    for _ in range(_MOST_HOPS):
        made = run.origins.of_tensor(tensor)
        operand = None if made is None or fact is None else _operand_with(run, made, fact)
        if made is None or operand is None:
            text = _first_source(run, names, node, tensor, made, fact)
            return None if text is None else ValueSource(text, tuple(passed))
        passed.append(place_text(made.names.loaded, made.node))
        names, (node, tensor) = made.names, operand
    return None


def _first_source(
    run: Run, names: Namespace, node: ast.expr | None, tensor: TensorSpec, made: TensorOrigin | None, fact: Fact | None
) -> str | None:
    """The source of a tensor that no operand passes the fact on to."""
    stand_in = run.origins.stand_in(tensor)
    if stand_in is not None:
        return stand_in
    if made is None:
        return _parameter(run, tensor) or _variable(run, names, node, tensor)
    layer = None if fact is None else _layer_with_output(made, fact)
    built = None if layer is None else source_of_layer(run, layer, "output")
    return _place_of_call(made.names, made.node) if built is None else built.text


def source_of_layer(run: Run, layer: ModuleSpec, side: str) -> ValueSource | None:
    """The input or the output of a layer, by the call that built it; None if that is not recorded."""
    built = run.origins.of_layer(layer)
    return None if built is None else ValueSource(f"{_place_of_call(built.names, built.node)} {side}")


def source_of_function(function: FunctionValue, part: str) -> str:
    """A part of the signature of a function."""
    return f"{place_text(function.closure.loaded, function.node)} {part}"


def place_text(loaded: SourceModule, node: ast.AST) -> str:
    """A place as text."""
    line, column, _, _ = span(loaded, node)
    return f"{loaded.source.display}:{line}:{column}"


def _layer_with_output(made: TensorOrigin, fact: Fact) -> ModuleSpec | None:
    """The layer that made a tensor, if the size is a parameter of its results."""
    if not isinstance(made.callee, ModuleSpec) or fact.kind != "size":
        return None
    values: list[Value] = [getattr(made.callee, name, None) for name in OUTPUT_PARAMETERS]
    given = any(is_integer(one) and is_same(one, fact.value) for one in values)
    return made.callee if given else None


def _operand_with(run: Run, made: TensorOrigin, fact: Fact) -> tuple[ast.expr | None, TensorSpec] | None:
    """The only operand with this fact, if the call passes it on to its result."""
    if run.origins.stand_in(made.value) is not None or _layer_with_output(made, fact) or not _keeps(made, fact):
        return None
    pairs = [pair for pair in tensors_of(made.node, made.args, made.kwargs) if fact.holds_of(pair[1])]
    return pairs[0] if len(pairs) == 1 else None


def _keeps(made: TensorOrigin, fact: Fact) -> bool:
    """Whether a call passes a fact about an operand on to its result."""
    name = short_name(made.callee)
    if fact.kind == "size":
        return name not in names_with(Trait.TAKES_SIZES)
    if fact.kind == "dtype":
        return "dtype" not in made.kwargs and name not in ("to", "type", "astype")
    return fact.kind == "rank" and name in names_with(Trait.KEEPS_AXES) | names_with(Trait.PROMOTES_DTYPES)


def _place_of_call(names: Namespace, node: ast.AST) -> str:
    """The place of a call, and of the calls of the plain functions around it: a helper makes several values."""
    text = place_text(names.loaded, node)
    for _ in range(_MOST_CALLERS):
        call = names.call
        if call is None or call.node is None or isinstance(names.fields.get("__class__"), ClassValue):
            break
        names, node = call.names, call.node
        text += f" < {place_text(names.loaded, node)}"
    return text


def _parameter(run: Run, tensor: TensorSpec) -> str | None:
    """The parameter of an active call that a tensor is the argument for."""
    for frame in run.outward():
        call = frame.names.call
        if call is None or call.function is None:
            continue
        for one in parameters_of(call.function.node.args):
            if call.bound.get(one.name) is tensor:
                return source_of_function(call.function, one.name)
    return None


def _variable(run: Run, names: Namespace, node: ast.expr | None, tensor: TensorSpec) -> str | None:
    """The assignment or the parameter of the name or attribute that evaluates to a tensor.

    Narrowing its value since then does not count as an assignment.
    """
    owner: Value = None
    name = ""
    if isinstance(node, ast.Name):
        owner, name = holder(names, node.id), node.id
    elif isinstance(node, ast.Attribute):
        owner, name = reevaluate(run, node.value, names), node.attr
    if not isinstance(owner, (Namespace, Instance, ClassValue)):
        return None
    last = last_write(owner, name)
    if owner.fields.get(name) is not tensor:
        return None
    if last is not None:
        return _place_of_call(last.around(owner), last.node)
    call = owner.call if isinstance(owner, Namespace) else None
    if call is None or call.function is None or name not in call.bound:
        return None
    return source_of_function(call.function, name)
