"""What a statement does: a table from the kind of node to what it does. Each says whether the run goes on after it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.alternatives import Alternatives, without_none
from shapecheck.static.asserts import report_false
from shapecheck.static.autocast import entered
from shapecheck.static.calls import call
from shapecheck.static.cases import on_each
from shapecheck.static.classes import class_value
from shapecheck.static.contracts.assignments import annotated
from shapecheck.static.contracts.overloads import overloads_before
from shapecheck.static.decorators import enter
from shapecheck.static.evaluation import STATEMENTS, evaluate, run_block
from shapecheck.static.expressions import binary
from shapecheck.static.functions import function_value, leave_function
from shapecheck.static.imports import run_import
from shapecheck.static.iteration import items_in, items_of, some_item
from shapecheck.static.layers import LAYER
from shapecheck.static.library.dicts import is_key, put
from shapecheck.static.library.mappings import write
from shapecheck.static.library.objects import ask, iterated, special
from shapecheck.static.library.open_collections import put_any
from shapecheck.static.loops import finish, leave, loop, may_break, run_round
from shapecheck.static.machine import Machine
from shapecheck.static.matching import run_match
from shapecheck.static.narrowing import narrow
from shapecheck.static.open_items import either, is_open
from shapecheck.static.parameters import with_parameter
from shapecheck.static.replacing import replace_each, replaced_in
from shapecheck.static.shape_names import learnt_around_star, learnt_names
from shapecheck.static.torch_calls import torch_call
from shapecheck.static.truth import truth
from shapecheck.static.unpacking import report_wrong_count
from shapecheck.static.values import Alias, Builtin, Container, DictValue, Instance, ListValue, Object, Value

_MOST_BREAKING = 16
_MOST_ROUNDS = 16
_MOST_STEPS_OF_LOOP = 40_000
"""How many steps the rounds of a loop may take to be run one by one: what follows it is to be seen, too."""


def assign(machine: Machine, target: ast.expr, value: Value) -> None:
    """Binds a target to a value."""
    if machine.watch is not None:
        machine.watch.bind(target, value)
    if isinstance(target, ast.Name):
        frame = machine.frame
        names = frame.outer.get(target.id, frame.names) if frame.outer else frame.names
        machine.journal.write(names, target.id, value)
        machine.origins.wrote(names, target.id, target, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        report_wrong_count(machine, target, value)
        _unpack(machine, target.elts, value)
    elif isinstance(target, ast.Attribute):
        receiver = evaluate(machine, target.value)
        on_each(machine, partial(_set_attribute, machine, target, value), without_none(receiver))
    elif isinstance(target, ast.Subscript):
        _set_item(machine, target, value)
    elif isinstance(target, ast.Starred):
        assign(machine, target.value, Unknown("starred items"))


def _set_attribute(machine: Machine, target: ast.Attribute, value: Value, receiver: Value) -> None:
    changed = with_parameter(receiver, target.attr, value)
    if changed is not None and isinstance(target.value, (ast.Name, ast.Attribute)):
        assign(machine, target.value, changed)
    set_attribute(machine, target, target.attr, value, receiver)


def set_attribute(machine: Machine, node: ast.AST, name: str, value: Value, receiver: Value) -> None:
    """Sets an attribute of an object."""
    if isinstance(receiver, Object) and not write(machine, node, receiver, name, value):
        _set(machine, receiver, name, value)
        machine.origins.wrote(receiver, name, node, value, machine.frame.names)


def _set(machine: Machine, receiver: Object, name: str, value: Value) -> None:
    if isinstance(receiver, Container):
        machine.journal.write(receiver, "items", {**receiver.items, name: value})
    elif not isinstance(receiver, (ListValue, DictValue)):
        machine.journal.write(receiver, name, value)
        layer = receiver.fields.get(LAYER)
        if isinstance(layer, Container) and isinstance(value, (Instance, Container, ModuleSpec)):
            machine.journal.write(layer, "items", {**layer.items, name: value})
        elif (changed := with_parameter(layer, name, value)) is not None:
            machine.journal.write(receiver, LAYER, changed)


def _set_item(machine: Machine, target: ast.Subscript, value: Value) -> None:
    for one in machine.frame.loops:
        if one.replacing is target:
            one.replaced.append(value)
    receiver, key = without_none(evaluate(machine, target.value)), evaluate(machine, target.slice)
    on_each(machine, lambda one: _put_item(machine, target, one, key, value), receiver)


def _put_item(machine: Machine, target: ast.Subscript, receiver: Value, key: Value, value: Value) -> None:
    if isinstance(receiver, TensorSpec):
        on_each(machine, lambda *given: torch_call(machine, target, "__setitem__", given, {}), receiver, key, value)
    elif isinstance(receiver, Instance):
        held = items_in(receiver)
        if special(receiver, "__setitem__") is not None:
            ask(machine, target, receiver, "__setitem__", key, value)
        elif held is not None:
            _put_item(machine, target, held, key, value)
    elif isinstance(receiver, DictValue) and is_key(key) and not is_open(receiver):
        put(machine, receiver, {key: value})
    elif (isinstance(receiver, DictValue) and not receiver.lost) or is_open(receiver):
        put_any(machine, receiver, key, value)
    elif isinstance(receiver, Container) and isinstance(key, (str, int)):
        machine.journal.write(receiver, "items", {**receiver.items, key: value})
    elif isinstance(receiver, (DictValue, Container)):
        machine.journal.lose(receiver)
    elif isinstance(receiver, ListValue) and not receiver.lost:
        known = type(key) is int and -len(receiver.items) <= key < len(receiver.items)
        items = list(receiver.items) if known else [Unknown("perhaps replaced")] * len(receiver.items)
        if known:
            items[key] = value
        machine.journal.write(receiver, "items", tuple(items))


def _unpack(machine: Machine, targets: list[ast.expr], value: Value) -> None:
    starred = next((index for index, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
    items = items_of(value)
    if items is not None and starred is None and len(items) == len(targets):
        for one, item in zip(targets, items, strict=True):
            assign(machine, one, item)
        return
    if items is not None and starred is not None and len(items) >= len(targets) - 1:
        after = len(targets) - starred - 1
        middle = items[starred : len(items) - after]
        parts = [*items[:starred], ListValue(tuple(middle)), *items[len(items) - after :]]
        for one, item in zip(targets, parts, strict=True):
            assign(machine, one.value if isinstance(one, ast.Starred) else one, item)
        return
    for one in targets:
        assign(machine, one, Unknown("starred items") if isinstance(one, ast.Starred) else some_item(value))


def _assign(machine: Machine, node: ast.Assign) -> bool:
    value = evaluate(machine, node.value)
    for target in node.targets:
        around = learnt_around_star(machine, target, node.value, value)
        if around is None or not isinstance(target, (ast.Tuple, ast.List)):
            assign(machine, target, learnt_names(machine, target, node.value, value))
            continue
        for one, size in zip(target.elts, around, strict=True):
            assign(machine, one, size)
    return True


def _ann_assign(machine: Machine, node: ast.AnnAssign) -> bool:
    if node.value is not None:
        assign(machine, node.target, annotated(machine, node, evaluate(machine, node.value)))
    return True


def _aug_assign(machine: Machine, node: ast.AugAssign) -> bool:
    left, right = evaluate(machine, node.target), evaluate(machine, node.value)
    result = binary(machine, node, node.op, without_none(left), without_none(right))
    if isinstance(left, TensorSpec) and isinstance(result, TensorSpec) and isinstance(node.target, ast.Subscript):
        result = result.with_dtype(left.dtype)  # the part is changed where it lies
    assign(machine, node.target, result)
    return True


def _expr(machine: Machine, node: ast.Expr) -> bool:
    evaluate(machine, node.value)
    return True


def _return(machine: Machine, node: ast.Return) -> bool:
    value = None if node.value is None else evaluate(machine, node.value)
    frame = machine.frame
    if frame.agreement is not None:
        value = frame.agreement.checked_result(node, value)
    leave_function(machine, value)
    for rule in machine.rules.returned.get(getattr(frame.function, "name", ""), ()):
        rule(machine, node, value)
    return False


def _raise(machine: Machine, node: ast.Raise) -> bool:
    return False


def _if(machine: Machine, node: ast.If) -> bool:
    known = truth(evaluate(machine, node.test))
    if known is None and _is_main_guard(node.test):
        known = True
    if known is not None:
        return run_block(machine, node.body if known else node.orelse)

    def branch(outcome: bool, body: list[ast.stmt]) -> tuple[bool, bool]:
        goes_on = narrow(machine, node.test, outcome) and run_block(machine, body)
        return goes_on, goes_on

    return any(machine.branch(partial(branch, True, node.body), partial(branch, False, node.orelse)))


def _is_main_guard(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "__name__"


def _for(machine: Machine, node: ast.For | ast.AsyncFor) -> bool:
    iterable = iterated(machine, node, evaluate(machine, node.iter))
    items = items_of(iterable)
    if items is None and isinstance(iterable, Alternatives):
        return _for_each_of(machine, node, iterable)
    return _for_items(machine, node, iterable, items)


def _for_each_of(machine: Machine, node: ast.For | ast.AsyncFor, iterable: Alternatives) -> bool:
    """A loop over one of several sequences; what fails in it may fail for one of them alone."""

    def over(one: Value) -> tuple[bool, bool]:
        goes_on = _for_items(machine, node, one, items_of(one))
        return goes_on, goes_on

    with machine.quietly():
        return any(machine.branch(*(partial(over, one) for one in iterable.members)))


def _for_items(machine: Machine, node: ast.For | ast.AsyncFor, iterable: Value, items: list[Value] | None) -> bool:
    if items is None or (len(items) > _MOST_BREAKING and may_break(node)):
        return _open_loop(machine, node, partial(_assign_item, machine, node.target, iterable))

    def body(item: Value) -> bool:
        assign(machine, node.target, item)
        return run_block(machine, node.body)

    start = machine.steps
    with loop(machine) as one:
        for done, item in enumerate(items):
            if done > 1 and (machine.steps - start) // done * len(items) > _MOST_STEPS_OF_LOOP:
                break
            if not run_round(machine, one, partial(body, item)):
                return finish(machine, one, goes_on=False)
        else:
            return finish(machine, one, run_block(machine, node.orelse))
    return finish(machine, one, _open_loop(machine, node, partial(_assign_item, machine, node.target, iterable)))


def _assign_item(machine: Machine, target: ast.expr, iterable: Value) -> bool:
    """One of the items of what cannot be gone through."""
    assign(machine, target, some_item(iterable))
    return True


def _open_loop(machine: Machine, node: ast.For | ast.AsyncFor | ast.While, begin: Callable[[], bool]) -> bool:
    """A loop of unknown length: its body runs as a branch, twice, so that what changes from round to round is seen."""

    replacing = replaced_in(node)
    replaced: list[Value] = []

    def once() -> tuple[bool, bool]:
        with loop(machine) as one:
            one.replacing, one.replaced = replacing, replaced
            goes_on = run_round(machine, one, lambda: begin() and run_block(machine, node.body))
        goes_on = finish(machine, one, goes_on)
        return bool(one.breaks), goes_on

    endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
    breaks = machine.branch(once, lambda: (False, True))
    with machine.quietly():
        breaks += machine.branch(once, lambda: (False, True), widen=True)
    if replacing is not None and replaced:
        replace_each(machine, evaluate(machine, replacing.value), reduce(either, replaced))
    if endless:
        return any(breaks)
    return run_block(machine, node.orelse) if not any(breaks) else _perhaps(machine, node.orelse)


def _perhaps(machine: Machine, body: list[ast.stmt]) -> bool:
    """Statements of which it is not known whether they run."""

    def run() -> tuple[bool, bool]:
        goes_on = run_block(machine, body)
        return goes_on, goes_on

    if body:
        machine.branch(run, lambda: (True, True))
    return True


def _while(machine: Machine, node: ast.While) -> bool:
    known = truth(evaluate(machine, node.test))
    with loop(machine) as one:
        for _ in range(_MOST_ROUNDS):
            if known is not True or isinstance(node.test, ast.Constant):
                break
            if not run_round(machine, one, lambda: run_block(machine, node.body)):
                return finish(machine, one, goes_on=False)
            known = truth(evaluate(machine, node.test))
    if known is False:
        return finish(machine, one, run_block(machine, node.orelse))
    goes_on = _open_loop(machine, node, lambda: narrow(machine, node.test, True))
    if goes_on and not may_break(node):
        goes_on = narrow(machine, node.test, False)
    return finish(machine, one, goes_on)


def _with(machine: Machine, node: ast.With) -> bool:
    values = []
    for item in node.items:
        value = evaluate(machine, item.context_expr)
        values.append(value)
        if item.optional_vars is not None:
            assign(machine, item.optional_vars, Unknown("what a context manager gives") if value is None else value)
    if any(map(_waits_for_failure, node.items)):
        with machine.quietly():
            return _perhaps(machine, node.body)
    with entered(machine, node, values):
        return run_block(machine, node.body)


_WAITING = frozenset("raises suppress assertRaises assertRaisesRegex".split())


def _waits_for_failure(item: ast.withitem) -> bool:
    """`with pytest.raises(...)`: what is in there may stop anywhere."""
    call = item.context_expr
    function = call.func if isinstance(call, ast.Call) else None
    return (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")) in _WAITING


def _try(machine: Machine, node: ast.Try) -> bool:
    def body() -> tuple[bool, bool]:
        goes_on = run_block(machine, [*node.body, *node.orelse])
        return goes_on, goes_on

    def handler(one: ast.ExceptHandler) -> Callable[[], tuple[bool, bool]]:
        def run() -> tuple[bool, bool]:
            goes_on = run_block(machine, one.body)
            return goes_on, goes_on

        return run

    if not node.handlers:
        goes_on = run_block(machine, node.body)
    else:
        # What fails in there may be meant to: a handler waits for it.
        with machine.quietly():
            goes_on = any(machine.branch(body, *(handler(one) for one in node.handlers)))
    return run_block(machine, node.finalbody) and goes_on


def _function(machine: Machine, node: Any) -> bool:
    function = function_value(machine, node)
    function.overloads = overloads_before(machine.frame.names.fields.get(node.name))
    machine.journal.write(machine.frame.names, node.name, function)
    enter(machine, node.decorator_list, function)
    return True


def _type_alias(machine: Machine, node: Any) -> bool:
    machine.journal.write(machine.frame.names, node.name.id, Alias(node.value, machine.frame.names))
    return True


def _class(machine: Machine, node: ast.ClassDef) -> bool:
    made = class_value(machine, node)
    machine.journal.write(machine.frame.names, node.name, made)
    enter(machine, node.decorator_list, made)
    return True


def _import(machine: Machine, node: Any) -> bool:
    run_import(machine, node)
    return True


def _assert(machine: Machine, node: ast.Assert) -> bool:
    known = truth(evaluate(machine, node.test))
    if known or (known is None and narrow(machine, node.test, True)):
        return True
    report_false(machine, node.test)
    return False


def _delete(machine: Machine, node: ast.Delete) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Name):
            machine.journal.delete(machine.frame.names, target.id)
        elif isinstance(target, ast.Attribute):
            receiver = evaluate(machine, target.value)
            if isinstance(receiver, Instance):
                machine.journal.delete(receiver, target.attr)
        elif isinstance(target, ast.Subscript):
            receiver, key = without_none(evaluate(machine, target.value)), evaluate(machine, target.slice)
            on_each(machine, partial(_remove_item, machine, target), receiver, key)
    return True


def _outer(machine: Machine, node: ast.Global | ast.Nonlocal) -> bool:
    """`global`, `nonlocal`: from here on, names are bound where they were bound first."""
    frame, to_module = machine.frame, isinstance(node, ast.Global)
    for name in node.names:
        around = frame.names.parent
        while around is not None and around.parent is not None and (to_module or name not in around.fields):
            around = around.parent
        if around is not None:
            frame.outer[name] = around
    return True


def _remove_item(machine: Machine, node: ast.AST, receiver: Value, key: Value) -> Value:
    if isinstance(receiver, (ListValue, DictValue)):
        return call(machine, node, Builtin(receiver, "pop"), (key,), {})
    if isinstance(receiver, Container):
        machine.journal.lose(receiver)
    return None


def _leave(machine: Machine, node: ast.Break | ast.Continue) -> bool:
    leave(machine, node)
    return False


STATEMENTS |= {
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _aug_assign,
    ast.Expr: _expr,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Global: _outer,
    ast.Nonlocal: _outer,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Assert: _assert,
    ast.Delete: _delete,
    ast.Break: _leave,
    ast.Continue: _leave,
    ast.Match: run_match,
}
if sys.version_info >= (3, 12):
    STATEMENTS[ast.TypeAlias] = _type_alias
