"""What an expression gives: a table from the kind of node to what it does."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, ShapeError, Size, TensorSpec, at_least, same
from shapecheck.static.alternatives import Alternatives, Never, members_of, one_of, without_none
from shapecheck.static.arrays.module import with_arrays
from shapecheck.static.arrays.value import ArraySpec
from shapecheck.static.attributes import attribute, now
from shapecheck.static.calls import about_to_stack, call
from shapecheck.static.cases import on_each
from shapecheck.static.evaluation import EXPRESSIONS, evaluate
from shapecheck.static.functions import UNKNOWN_KEYWORDS, function_value
from shapecheck.static.iteration import items_in, items_of, some_item
from shapecheck.static.join import join
from shapecheck.static.library.dicts import contains, is_key, updated
from shapecheck.static.library.enums import same_member
from shapecheck.static.library.objects import iterated, operated
from shapecheck.static.library.sets import of_sets, set_of
from shapecheck.static.machine import Machine
from shapecheck.static.narrowing import narrow
from shapecheck.static.open_items import either, open_dict, open_list
from shapecheck.static.subscripts import length_written, subscript
from shapecheck.static.torch_calls import torch_call
from shapecheck.static.truth import truth
from shapecheck.static.values import (
    Alias,
    ClassValue,
    DictValue,
    External,
    Later,
    ListValue,
    Member,
    Namespace,
    Series,
    SetValue,
    Value,
    Window,
)

_BINARY: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.MatMult: ("@", operator.matmul),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
}
_COMPARE: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_NUMBERS = (bool, int, float, complex, Dim)
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_OF_TYPES = (
    "jaxtyping.",
    "typing.",
    "typing_extensions.",
    "collections.abc.",
    *(f"builtins.{name}" for name in ("tuple", "list", "dict", "set", "frozenset", "type")),
)
_OPEN_COMPREHENSION = "a comprehension over an unknown iterable"
_LARGEST = 1 << 64
_GROWING = (operator.pow, operator.lshift)
_WIDE = re.compile(r"%[^a-zA-Z]*\d{4}|%[^a-zA-Z]*\*")


def _constant(machine: Machine, node: ast.Constant) -> Value:
    return node.value


def _name(machine: Machine, node: ast.Name) -> Value:
    names: Namespace | None = machine.frames[-1].names
    name = node.id
    while names is not None:
        if name in names.fields:
            value = names.fields[name]
            if type(value) in _SETTLED:
                return machine.knowledge.settled(value)
            return now(value) if type(value) is Later else value
        names = names.parent
    return External(f"builtins.{name}")


_SETTLED = frozenset((Dim, TensorSpec, tuple))


def _tuple(machine: Machine, node: ast.Tuple) -> Value:
    return _elements(machine, node.elts)


def _list(machine: Machine, node: ast.List) -> Value:
    items = _elements(machine, node.elts)
    return items if isinstance(items, Unknown) else ListValue(items)


def _set(machine: Machine, node: ast.Set) -> Value:
    items = _elements(machine, node.elts)
    return items if isinstance(items, Unknown) else set_of(items)


def _elements(machine: Machine, nodes: list[ast.expr]) -> Any:
    found: list[Value] = []
    for one in nodes:
        if isinstance(one, ast.Starred):
            more = items_of(evaluate(machine, one.value))
            if more is None:
                return Unknown("an unknown number of items")
            found += more
        else:
            found.append(evaluate(machine, one))
    return tuple(found)


def _dict(machine: Machine, node: ast.Dict) -> Value:
    items: dict[Value, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        known = evaluate(machine, value)
        if key is None:
            part = known if isinstance(known, DictValue) else items_in(known)
            if part is None or part.lost:
                return Unknown("an unknown part of a dict")
            items = updated(items, part.items)
            continue
        name = evaluate(machine, key)
        if not is_key(name):
            return Unknown("an unknown key of a dict")
        items[name] = known
    return DictValue(items)


def _binary(machine: Machine, node: ast.BinOp) -> Value:
    left, right = evaluate(machine, node.left), evaluate(machine, node.right)
    if isinstance(node.op, ast.BitOr) and any(isinstance(one, (Alias, ClassValue)) for one in (left, right)):
        return Alias(node, machine.frame.names)
    return binary(machine, node, node.op, without_none(left), without_none(right))


def binary(machine: Machine, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
    """What a binary operator gives for two values."""
    if isinstance(left, Alternatives) or isinstance(right, Alternatives):
        return on_each(machine, partial(binary, machine, node, op), left, right)
    symbol, function = _BINARY[type(op)]
    if isinstance(left, ArraySpec) or isinstance(right, ArraySpec):
        return with_arrays(machine, node, symbol, left, right)
    if isinstance(left, TensorSpec) or isinstance(right, TensorSpec):
        return torch_call(machine, node, symbol, (left, right), {})
    if isinstance(left, ListValue) or isinstance(right, ListValue):
        made = _of_lists(symbol, left, right)
        for rule in machine.rules.repeated.get(symbol, ()):
            rule(machine, node, left.items if isinstance(left, ListValue) else (), made)
        return made
    if isinstance(left, SetValue) and isinstance(right, SetValue):
        return of_sets(symbol, left, right)
    if isinstance(left, DictValue) and isinstance(right, DictValue) and symbol == "|":
        lost = left.lost or right.lost
        return Unknown("a dict that is not known") if lost else DictValue({**left.items, **right.items})
    if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
        return machine.knowledge.settled(_of_numbers(function, left, right))
    if isinstance(left, str) and symbol == "%":
        return _formatted(left, right)
    if isinstance(left, (str, tuple)) and isinstance(right, (str, tuple, int)) and symbol in "+*":
        too_long = symbol == "*" and isinstance(right, int) and len(left) * right > 10_000
        return Unknown("a long sequence") if too_long else _of_numbers(function, left, right)
    found = operated(machine, node, symbol, left, right)
    return Unknown("operands are unknown") if found is None else found


def _of_numbers(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Value:
    if function in _GROWING and not (isinstance(right, (int, float)) and abs(right) < 64):
        return Unknown("a large power")
    if function is operator.mul and (isinstance(left, Dim) or isinstance(right, Dim)):
        left, right = _whole(left), _whole(right)
    try:
        result = function(left, right)
    except (TypeError, ValueError, ArithmeticError, ShapeError):
        return Unknown("no arithmetic that is modelled")
    return Unknown("a large number") if isinstance(result, int) and abs(result) > _LARGEST else result


def _whole(number: Any) -> Any:
    """`4.0` as 4: what a size times it is used for is a size again."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _formatted(text: str, value: Value) -> Value:
    parts = value if type(value) is tuple else (value,)
    if not all(isinstance(one, (str, int, float)) for one in parts) or _WIDE.search(text):
        return Unknown("a text with an unknown or a wide part")
    try:
        return text % parts
    except (TypeError, ValueError):
        return Unknown("a text that is not formatted so")


def _of_lists(symbol: str, left: Value, right: Value) -> Value:
    if any(isinstance(one, ListValue) and one.lost for one in (left, right)):
        return Unknown("a list that is not known")
    if isinstance(left, ListValue) and isinstance(right, ListValue) and symbol == "+":
        return ListValue(left.items + right.items)
    if symbol == "*" and isinstance(left, ListValue) and type(right) is int and len(left.items) * right < 1_000:
        return ListValue(left.items * right)
    return Unknown("a list of unknown length")


def _unary(machine: Machine, node: ast.UnaryOp) -> Value:
    value = evaluate(machine, node.operand)
    if isinstance(node.op, ast.Not):
        known = truth(value)
        return Unknown("not of an unknown condition") if known is None else not known
    if isinstance(value, ArraySpec):
        return value
    if isinstance(value, TensorSpec):
        name = {ast.USub: "neg", ast.UAdd: "positive", ast.Invert: "bitwise_not"}[type(node.op)]
        return torch_call(machine, node, name, (value,), {})
    if isinstance(value, _NUMBERS):
        function = _UNARY[type(node.op)]
        return _of_numbers(lambda one, _: function(one), value, 0)
    return Unknown("the operand is unknown")


def _bool_op(machine: Machine, node: ast.BoolOp) -> Value:
    return _operands(machine, node.values, ends_it=isinstance(node.op, ast.Or))


def _operands(machine: Machine, nodes: list[ast.expr], *, ends_it: bool) -> Value:
    """The first operand that decides, else the last one; each sees how those before it came out."""
    first, *rest = nodes
    value = evaluate(machine, first)
    known = truth(value)
    if not rest or known is ends_it:
        return value
    if known is not None:
        return _operands(machine, rest, ends_it=ends_it)

    def decides() -> tuple[Value, bool]:
        possible = narrow(machine, first, ends_it)
        return one_of(one for one in members_of(value) if truth(one) is not (not ends_it)), possible

    def goes_on() -> tuple[Value, bool]:
        if not narrow(machine, first, not ends_it):
            return Never("the first operand decides"), False
        return _operands(machine, rest, ends_it=ends_it), True

    (one, ends), (other, follows) = _both(machine, decides, goes_on)
    if follows and not ends_it and truth(other) is False:
        return other  # whatever came before
    if ends and follows:
        return join(one, other)
    return other if follows else one


def _both(machine: Machine, *runs: Callable[[], tuple[Value, bool]]) -> list[tuple[Value, bool]]:
    """The results of two branches, each with whether it goes on."""

    def kept(run: Callable[[], tuple[Value, bool]]) -> tuple[tuple[Value, bool], bool]:
        result = run()
        return result, result[1]

    return machine.branch(*(partial(kept, run) for run in runs))


def _compare(machine: Machine, node: ast.Compare) -> Value:
    left = evaluate(machine, node.left)
    verdict: Value = True
    for op, one in zip(node.ops, node.comparators, strict=True):
        right = evaluate(machine, one)
        verdict = _compared(machine, node, op, left, right)
        if verdict is not True:
            return verdict
        left = right
    return verdict


def _compared(machine: Machine, node: ast.Compare, op: ast.cmpop, left: Value, right: Value) -> Value:
    if type(left) is Alternatives or type(right) is Alternatives:
        return on_each(machine, partial(_compared, machine, node, op), left, right)
    if isinstance(op, (ast.Is, ast.IsNot)):
        return _is(op, left, right)
    if isinstance(op, (ast.In, ast.NotIn)):
        return _in(op, left, right)
    symbol, function = _COMPARE[type(op)]
    if isinstance(left, ArraySpec) or isinstance(right, ArraySpec):
        return with_arrays(machine, node, symbol, left, right)
    if isinstance(left, TensorSpec) or isinstance(right, TensorSpec):
        if left is None or right is None or isinstance(left, str) or isinstance(right, str):
            return Unknown("a tensor compared with no tensor")
        return torch_call(machine, node, symbol, (left, right), {})
    if isinstance(left, _PLAIN) and isinstance(right, _PLAIN):
        return _of_numbers(function, left, right)
    if symbol in ("==", "!="):
        equal = _equal(left, right)
        return Unknown("an open comparison") if equal is None else equal is (symbol == "==")
    if isinstance(left, (int, Dim)) and isinstance(right, (int, Dim)):
        return _ordered(symbol, left, right)
    return Unknown("an open comparison")


def _ordered(symbol: str, left: Size, right: Size) -> Value:
    """`n > 0` of sizes, where their bounds decide it."""
    verdict = at_least(left, right) if symbol in ("<", ">=") else at_least(right, left)
    if verdict is None:
        return Unknown("an open comparison")
    return verdict is (symbol in ("<=", ">="))


def _equal(left: Value, right: Value) -> bool | None:
    if isinstance(left, ListValue) and isinstance(right, ListValue) and not left.lost and not right.lost:
        left, right = left.items, right.items
    if type(left) is tuple and type(right) is tuple:
        if len(left) != len(right):
            return False
        verdicts = [_equal(a, b) for a, b in zip(left, right, strict=True)]
        return False if False in verdicts else None if None in verdicts else True
    if isinstance(left, (int, Dim)) and isinstance(right, (int, Dim)):
        return same(left, right)
    if isinstance(left, (External, ClassValue)):
        return _same_type(left, right)
    if isinstance(left, Member) or isinstance(right, Member):
        return same_member(left, right)
    if isinstance(left, _PLAIN) and isinstance(right, _PLAIN):
        return bool(left == right)
    return None


def _same_type(left: Value, right: Value) -> bool | None:
    """Whether two types are the same; those from elsewhere may have several names."""
    if isinstance(left, ClassValue) or isinstance(right, ClassValue):
        return left is right if isinstance(left, _TYPES) and isinstance(right, _TYPES) else None
    if not isinstance(left, External) or not isinstance(right, External):
        return None
    if left == right:
        return True
    return False if left.name.startswith("builtins.") and right.name.startswith("builtins.") else None


_TYPES = (ClassValue, External)


def _is(op: ast.cmpop, left: Value, right: Value) -> Value:
    same_type = same_member(left, right) if isinstance(left, Member) else _same_type(left, right)
    if same_type is not None:
        return same_type is isinstance(op, ast.Is)
    if right is not None and not isinstance(right, bool):
        return Unknown("an identity")
    if isinstance(left, Unknown):
        return Unknown("it may be None")
    return (left is right) is isinstance(op, ast.Is)


def _in(op: ast.cmpop, left: Value, right: Value) -> Value:
    if isinstance(right, DictValue) and (found := contains(right, left)) is not None:
        return found is isinstance(op, ast.In)
    items = items_of(right)
    if isinstance(right, str) and isinstance(left, str):
        return (left in right) is isinstance(op, ast.In)
    verdicts = [None] if items is None else [_equal(left, one) for one in items]
    if True not in verdicts and None in verdicts:
        return Unknown("an open membership")
    return (True in verdicts) is isinstance(op, ast.In)


def _if_exp(machine: Machine, node: ast.IfExp) -> Value:
    known = truth(evaluate(machine, node.test))
    if known is not None:
        return evaluate(machine, node.body if known else node.orelse)

    def branch(outcome: bool, part: ast.expr) -> tuple[Value, bool]:
        possible = narrow(machine, node.test, outcome)
        return evaluate(machine, part) if possible else Never("it cannot come out so"), possible

    results = _both(machine, partial(branch, True, node.body), partial(branch, False, node.orelse))
    possible = [value for value, can_be in results if can_be]
    return reduce(join, possible) if possible else results[0][0]


def _attribute(machine: Machine, node: ast.Attribute) -> Value:
    value = evaluate(machine, node.value)
    if type(value) is not Alternatives:
        return machine.knowledge.settled(attribute(machine, node, value, node.attr))
    found = on_each(machine, lambda one: attribute(machine, node, one, node.attr), without_none(value))
    return machine.knowledge.settled(found)


def _subscript(machine: Machine, node: ast.Subscript) -> Value:
    value = without_none(evaluate(machine, node.value))
    if isinstance(value, External) and value.name.startswith(_OF_TYPES):
        return Alias(node, machine.frame.names)
    key = evaluate(machine, node.slice)
    return on_each(machine, partial(subscript, machine, node), value, key)


def _slice(machine: Machine, node: ast.Slice) -> Value:
    length = length_written(node)
    if length is not None and not isinstance(evaluate(machine, node.lower), (int, Dim)):  # type: ignore[arg-type]
        return Window(evaluate(machine, length))
    parts = (None if one is None else evaluate(machine, one) for one in (node.lower, node.upper, node.step))
    return slice(*parts)


def _call(machine: Machine, node: ast.Call) -> Value:
    function = without_none(evaluate(machine, node.func))
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    for one in node.args:
        if isinstance(one, ast.Starred):
            spread = evaluate(machine, one.value)
            more = items_of(spread)
            if more is None:
                about_to_stack(machine, node, function, (spread,))
                _evaluate_all(machine, node)
                return Unknown("an unknown number of arguments")
            args += more
        else:
            args.append(evaluate(machine, one))
    for keyword in node.keywords:
        value = evaluate(machine, keyword.value)
        value = value if keyword.arg is not None else items_in(value) or value
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
        elif isinstance(value, DictValue) and not value.lost and all(isinstance(key, str) for key in value.items):
            kwargs |= value.items
        else:
            kwargs[UNKNOWN_KEYWORDS] = value
    for rule in machine.rules.method.get(getattr(node.func, "attr", ""), ()):
        rule(machine, node, function)
    return call(machine, node, function, tuple(args), kwargs)


def _evaluate_all(machine: Machine, node: ast.Call) -> None:
    for keyword in node.keywords:
        evaluate(machine, keyword.value)


def _lambda(machine: Machine, node: ast.Lambda) -> Value:
    return function_value(machine, node)


def _comprehension(machine: Machine, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Value:
    found: list[Value] = []
    if not _generate(machine, node.generators, lambda: found.append(evaluate(machine, node.elt))):
        made: Value = _of_series(node, found)
    elif isinstance(node, ast.SetComp):
        made = set_of(found)
    else:
        made = ListValue(tuple(found))
    for rule in machine.rules.repeated.get("for", ()):
        rule(machine, node, tuple(found), made)
    return made


def _of_series(node: ast.ListComp | ast.GeneratorExp | ast.SetComp, found: list[Value]) -> Value:
    """What a comprehension gives of which not all items are known."""
    if not found:
        return Unknown(_OPEN_COMPREHENSION)
    return (open_list if isinstance(node, ast.ListComp) else Series)(reduce(either, found))


def _dict_comprehension(machine: Machine, node: ast.DictComp) -> Value:
    found: dict[Value, Value] = {}

    def put() -> None:
        key = evaluate(machine, node.key)
        found[key if is_key(key) else object()] = evaluate(machine, node.value)

    if not _generate(machine, node.generators, put) or not all(map(is_key, found)):
        return open_dict(reduce(either, found.values())) if found else Unknown(_OPEN_COMPREHENSION)
    return DictValue(found)


def _generate(machine: Machine, generators: list[ast.comprehension], each: Callable[[], None]) -> bool:
    """Runs `each` for every item; False where the items, or which of them count, are not known."""
    from shapecheck.static.statements import assign  # noqa: PLC0415 - statements are made of expressions

    if not generators:
        each()
        return True
    first, *rest = generators
    iterable = iterated(machine, first.iter, evaluate(machine, first.iter))
    items = items_of(iterable)
    if items is None:
        with machine.quietly():
            assign(machine, first.target, some_item(iterable))
        _perhaps(machine, first.ifs, lambda: _generate(machine, rest, each))
        return False
    for item in items:
        machine.step()
        assign(machine, first.target, item)
        verdicts = [truth(evaluate(machine, test)) for test in first.ifs]
        if None in verdicts:
            _perhaps(machine, first.ifs, lambda: _generate(machine, rest, each))
            return False
        if all(verdicts) and not _generate(machine, rest, each):
            return False
    return True


def _perhaps(machine: Machine, tests: list[ast.expr], run: Callable[[], bool]) -> None:
    """Runs something for an item that may not count; what fails then proves nothing."""
    if not tests:
        run()
        return
    with machine.quietly():
        machine.branch(
            lambda: (run(), True) if all(narrow(machine, one, True) for one in tests) else (False, False),
            lambda: (False, True),
        )


def _joined_str(machine: Machine, node: ast.JoinedStr) -> Value:
    parts: list[str] = []
    for one in node.values:
        value = evaluate(machine, one.value if isinstance(one, ast.FormattedValue) else one)
        if not isinstance(value, (str, int)):
            return Unknown("a text with an unknown part")
        parts.append(str(value))
    return "".join(parts)


def _named(machine: Machine, node: ast.NamedExpr) -> Value:
    value = evaluate(machine, node.value)
    machine.journal.write(machine.frame.names, node.target.id, value)
    return value


def _yield(machine: Machine, node: ast.Yield) -> Value:
    machine.frame.yielded.append(None if node.value is None else evaluate(machine, node.value))
    return Unknown("what is sent into a generator")


def _yield_from(machine: Machine, node: ast.YieldFrom) -> Value:
    items = items_of(evaluate(machine, node.value))
    machine.frame.branched |= items is None
    machine.frame.yielded += items or []
    return Unknown("what a generator returns")


def _inner(machine: Machine, node: ast.Starred | ast.Await) -> Value:
    return evaluate(machine, node.value)


EXPRESSIONS |= {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Dict: _dict,
    ast.Set: _set,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.IfExp: _if_exp,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Call: _call,
    ast.Lambda: _lambda,
    ast.ListComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _dict_comprehension,
    ast.JoinedStr: _joined_str,
    ast.NamedExpr: _named,
    ast.Starred: _inner,
    ast.Await: _inner,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
