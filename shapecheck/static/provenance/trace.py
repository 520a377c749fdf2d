"""Follows a size back to its source: from an expression through names, attributes, arguments, defaults and imports.

A step is taken only if the expression that it leads to evaluates to the same size.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.diagnostics import Note
from shapecheck.ops import ModuleSpec
from shapecheck.spec import Size
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import fields_of
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, Namespace
from shapecheck.static.domain.sizes import is_integer
from shapecheck.static.engine.argument_binding import positional_names, written_default
from shapecheck.static.engine.closures import holder
from shapecheck.static.engine.origins import BUILT, CallOrigin, Owner, TensorOrigin, last_write
from shapecheck.static.engine.places import note_at, text_of, with_text
from shapecheck.static.provenance.reevaluation import is_same, reevaluate
from shapecheck.static.provenance.sources import names_in, source_of

if TYPE_CHECKING:
    from shapecheck.static.engine.loading import SourceModule
    from shapecheck.static.engine.run import Run

_MOST_STEPS = 10


class SizeOrigin(NamedTuple):
    """What the last step led to: a place, and the source text of the size there."""

    loaded: SourceModule
    node: ast.AST
    text: str


class ScopedExpression(NamedTuple):
    """An expression, the scope and time in which it was evaluated, and the step that led there."""

    names: Namespace
    node: ast.expr
    before: float
    step: SizeOrigin | None = None


def trace(run: Run, spot: ScopedExpression, size: Size) -> list[Note]:
    """Notes on where the size that an expression evaluates to comes from; empty if that is unknown."""
    if not is_same(reevaluate(run, spot.node, spot.names), size):
        return []
    for _ in range(_MOST_STEPS):
        rule = _STEPS.get(type(spot.node))
        found = None if rule is None else rule(run, spot, size)
        if isinstance(found, Note):
            return [found]
        if found is None:
            break
        spot = found
    return _final_notes(run, spot, size)


def _final_notes(run: Run, spot: ScopedExpression, size: Size) -> list[Note]:
    """The notes of the last step; for arithmetic, also on its operands."""
    step = spot.step
    if isinstance(spot.node, (ast.Constant, ast.Name, ast.Attribute, ast.Subscript)):
        return [] if step is None or not step.text else [_comes_from(step, size, "")]
    parts = _parts(run, spot)
    if step is None and parts:
        step = SizeOrigin(spot.names.loaded, spot.node, text_of(spot.node))
    if step is None or not step.text:
        return []
    where = ", ".join(f"{text} is {value}" for text, (_, value) in parts.items() if text != str(value))
    notes = [_comes_from(step, size, f", where {where}" if where else "")]
    for node, value in parts.values():
        if isinstance(node, (ast.Name, ast.Attribute)):
            more = trace(run, spot._replace(node=node, step=None), value)
            if more:
                return [*notes, *more[:1]]
    return notes


def _comes_from(step: SizeOrigin, size: Size, where: str) -> Note:
    return note_at(step.loaded, step.node, f"{size} comes from {step.text}{where}")


def _parts(run: Run, spot: ScopedExpression) -> dict[str, tuple[ast.expr, Size]]:
    """The names in an expression, with their sizes."""
    found: dict[str, tuple[ast.expr, Size]] = {}
    for node in names_in(spot.node):
        value = reevaluate(run, node, spot.names)
        if is_integer(value) and _is_current(node, spot):
            found.setdefault(text_of(node), (node, value))
    return found if len(found) <= 3 else {}


def _is_current(node: ast.expr, spot: ScopedExpression) -> bool:
    """Whether a name has not been reassigned since the expression was evaluated."""
    if not isinstance(node, ast.Name):
        return True
    owner = holder(spot.names, node.id)
    last = None if owner is None else last_write(owner, node.id)
    return last is None or last.time < spot.before


def _name(run: Run, spot: ScopedExpression, value: Value) -> ScopedExpression | Note | None:
    name = spot.node.id if isinstance(spot.node, ast.Name) else ""
    owner = holder(spot.names, name)
    if owner is None:
        return None
    if last_write(owner, name) is not None:
        return _assigned(owner, name, spot, value)
    if owner.call is not None and name in owner.call.bound:
        return _argument(run, owner.call, name, spot, value)
    return _imported(run, owner, name, spot)


def _assigned(owner: Owner, name: str, spot: ScopedExpression, value: Value) -> ScopedExpression | Note | None:
    """The assigned expression; for loop variables and the like, a note at the statement."""
    last = last_write(owner, name)
    if last is None or last.time >= spot.before or not is_same(last.value, value):
        return None
    names = last.around(owner)
    loaded = names.loaded
    source = source_of(last.node, loaded.tree)
    if source is None:
        return None
    if source.value is not None:
        text = text_of(source.statement) or text_of(source.value)
        return ScopedExpression(names, source.value, last.time, SizeOrigin(loaded, last.node, text))
    shown = text_of(last.node)
    if not is_integer(value) or shown in ("", str(value)):
        return None
    return note_at(loaded, last.node, with_text(f"{shown} is {value} here", _binding(source.statement)))


def _binding(statement: ast.AST) -> ast.AST:
    """The binding part of a statement: for a loop, `target in iterable`."""
    if isinstance(statement, (ast.For, ast.AsyncFor, ast.comprehension)):
        return ast.Compare(statement.target, [ast.In()], [statement.iter])
    return statement


def _argument(run: Run, call: CallOrigin, name: str, spot: ScopedExpression, value: Value) -> ScopedExpression | None:
    """The argument for a parameter in the call, or its default."""
    function = call.function
    if function is None or not is_same(call.bound[name], value):
        return None
    positional = positional_names(function.node.args)
    place = positional.index(name) if name in positional else len(positional)
    if name in call.kwargs or place < call.given:
        found = _passed(call, name, place)
    else:
        found = _default(function, name, call.time)
    ours = found is not None and is_same(reevaluate(run, found.node, found.names), value)
    return found if ours else None


def _passed(call: CallOrigin, name: str, place: int) -> ScopedExpression | None:
    if not isinstance(call.node, ast.Call):
        return None
    for keyword in call.node.keywords:
        if keyword.arg == name:
            step = SizeOrigin(call.names.loaded, keyword, f"{name}={text_of(keyword.value)}")
            return ScopedExpression(call.names, keyword.value, call.time, step)
    place -= call.given - len(call.node.args)
    if name in call.kwargs or not 0 <= place < len(call.node.args):
        return None
    if any(isinstance(one, ast.Starred) for one in call.node.args):
        return None
    node = call.node.args[place]
    return ScopedExpression(
        call.names, node, call.time, SizeOrigin(call.names.loaded, node, text_of(call.node) or text_of(node))
    )


def _default(function: FunctionValue, name: str, before: int) -> ScopedExpression | None:
    parameter = written_default(function.node.args, name)
    if parameter is None or parameter.default is None:
        return None
    step = SizeOrigin(function.closure.loaded, parameter.node, f"{name}={text_of(parameter.default)}")
    return ScopedExpression(function.closure, parameter.default, before, step)


def _imported(run: Run, owner: Namespace, name: str, spot: ScopedExpression) -> ScopedExpression | None:
    """The name in the module from which it was imported."""
    for statement in owner.loaded.tree.body:
        if not isinstance(statement, ast.ImportFrom):
            continue
        for one in statement.names:
            if (one.asname or one.name) == name:
                loaded = run.project.resolve(statement.module or "", owner.loaded, statement.level)
                module = None if loaded is None else run.session.modules.get(loaded)
                if module is not None and module is not owner and one.name in module.fields:
                    return spot._replace(names=module, node=ast.Name(one.name, ast.Load()))
    return None


def _attribute(run: Run, spot: ScopedExpression, value: Value) -> ScopedExpression | Note | None:
    if not isinstance(spot.node, ast.Attribute):
        return None
    receiver, name = reevaluate(run, spot.node.value, spot.names), spot.node.attr
    if isinstance(receiver, Namespace):
        return spot._replace(names=receiver, node=ast.Name(name, ast.Load()))
    if isinstance(receiver, ModuleSpec):
        made = run.origins.of_layer(receiver)
        return None if made is None else layer_argument(run, made, receiver, name, value)
    if isinstance(receiver, Instance):
        return _of_instance(run, spot, receiver, name, value)
    if isinstance(receiver, ClassValue):
        return _of_class(run, spot, receiver, name, value)
    return None


def _of_instance(
    run: Run, spot: ScopedExpression, receiver: Instance, name: str, value: Value
) -> ScopedExpression | Note | None:
    if last_write(receiver, name) is not None:
        return _assigned(receiver, name, spot, value)
    if name in receiver.fields:
        found = _field_argument(run, receiver, name, value)
        if found is not None:
            return found
    return _of_class(run, spot, receiver.cls, name, value, receiver)


def _field_argument(run: Run, receiver: Instance, name: str, value: Value) -> ScopedExpression | None:
    """The argument for a field of a dataclass in the call of the constructor."""
    built = last_write(receiver, BUILT)
    if built is None or type(built.value) is not tuple:
        return None
    fields = fields_of(receiver.cls)
    args, kwargs = built.value
    if type(args) is not tuple or not isinstance(kwargs, dict):
        return None
    if name not in fields or (name not in kwargs and fields.index(name) >= len(args)):
        return None
    call = CallOrigin(built.node, built.around(receiver), None, len(args), {}, kwargs)
    found = _passed(call, name, fields.index(name))
    if found is None or not is_same(reevaluate(run, found.node, found.names), value):
        return None
    return found._replace(before=built.time)


def _of_class(
    run: Run, spot: ScopedExpression, cls: ClassValue, name: str, value: Value, receiver: Instance | None = None
) -> ScopedExpression | Note | None:
    for one in cls.mro():
        if last_write(one, name) is not None:
            return _assigned(one, name, spot, value)
        found = one.fields.get(name)
        if isinstance(found, FunctionValue) and receiver is not None:
            return _property(run, found, receiver, spot, value)
    return None


def _property(
    run: Run, function: FunctionValue, receiver: Instance, spot: ScopedExpression, value: Value
) -> ScopedExpression | None:
    """The expression returned by a property of one statement."""
    body = [one for one in getattr(function.node, "body", []) if not _is_docstring(one)]
    first = positional_names(function.node.args)[:1]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None or not first:
        return None
    names = Namespace(function.closure.loaded, function.closure)
    names.fields[first[0]] = receiver
    if not is_same(reevaluate(run, body[0].value, names), value):
        return None
    step = SizeOrigin(function.closure.loaded, body[0], text_of(body[0].value))
    return ScopedExpression(names, body[0].value, spot.before, step)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _subscript(run: Run, spot: ScopedExpression, value: Value) -> ScopedExpression | None:
    """The element of a list, tuple or dict display."""
    if not isinstance(spot.node, ast.Subscript):
        return None
    holder = reevaluate(run, spot.node.value, spot.names)
    rule = _STEPS.get(type(spot.node.value))
    found = None if rule is None else rule(run, spot._replace(node=spot.node.value, step=None), holder)
    if not isinstance(found, ScopedExpression):
        return None
    element = _element(found.node, reevaluate(run, spot.node.slice, spot.names))
    if element is None or not is_same(reevaluate(run, element, found.names), value):
        return None
    step = found.step
    if step is not None and not step.text.endswith(("]", ")", "}")):
        step = step._replace(text=text_of(element))
    return found._replace(node=element, step=step)


def _element(node: ast.expr, key: Value) -> ast.expr | None:
    if isinstance(node, (ast.Tuple, ast.List)) and type(key) is int and -len(node.elts) <= key < len(node.elts):
        starred = any(isinstance(one, ast.Starred) for one in node.elts)
        return None if starred else node.elts[key]
    if isinstance(node, ast.Dict) and isinstance(key, (str, int)):
        pairs = zip(node.keys, node.values, strict=True)
        return next((one for name, one in pairs if isinstance(name, ast.Constant) and name.value == key), None)
    return None


def layer_argument(
    run: Run, made: TensorOrigin, layer: ModuleSpec, parameter: str, size: Value
) -> ScopedExpression | None:
    """The expression for a layer's parameter in the call that built the layer."""
    node = made.node
    parameters = list(signature(type(layer).__init__).parameters)[1:]
    if not isinstance(node, ast.Call) or parameter not in parameters:
        return None
    call = CallOrigin(node, made.names, None, len(made.args), {}, made.kwargs)
    found = _passed(call, parameter, parameters.index(parameter))
    if found is None:
        return None
    found = found._replace(before=made.time, step=None)
    if isinstance(found.node, (ast.Tuple, ast.List)):
        elements = [one for one in found.node.elts if is_same(reevaluate(run, one, found.names), size)]
        return found._replace(node=elements[0]) if len(elements) == 1 else None
    return found if is_same(reevaluate(run, found.node, found.names), size) else None


_STEPS: dict[type[ast.expr], Callable[[Run, ScopedExpression, Value], ScopedExpression | Note | None]] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
}
