"""Reads the items of a container from the expressions that construct it, without evaluating them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ARG_STAR,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    ListComprehension,
    ListExpr,
    OpExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
)

from shapecheck.mypy.names import MODULE_DICT, MODULE_LIST, SEQUENTIAL


@dataclass(frozen=True, slots=True)
class Element:
    """One written item: its alternatives, whether it may occur any number of times, and its key.

    With `unpack` the alternatives are iterables, and their items are the elements. Without alternatives the item is
    unknown.
    """

    choices: tuple[Expression, ...]
    many: bool = False
    unpack: bool = False
    key: str | None = None


UNKNOWN = Element((), many=True)


def constructor_elements(kind: str, call: CallExpr) -> list[Element]:
    """The items that a call of Sequential, ModuleList or ModuleDict adds."""
    if kind == SEQUENTIAL:
        return list(_sequential(call))
    if not call.args:
        return []
    if len(call.args) != 1 or call.arg_kinds[0] not in (ARG_POS, ARG_NAMED):
        return [UNKNOWN]
    return items_of(call.args[0]) if kind == MODULE_LIST else _pairs_of(call.args[0])


def change_elements(method: str, call: CallExpr) -> list[Element]:
    """The items that a mutating method adds; none for one that only removes."""
    if any(kind != ARG_POS for kind in call.arg_kinds):
        return [UNKNOWN]
    match method, call.args:
        case ("append", [item]) | ("insert" | "add_module" | "register_module" | "__setitem__", [_, item]):
            return [one(item)]
        case "extend", [items]:
            return items_of(items)
        case (("pop" | "clear" | "popitem" | "__delitem__"), _):
            return []
    return [UNKNOWN]


def one(expr: Expression, *, many: bool = False, key: str | None = None) -> Element:
    """A single item; a conditional expression gives one alternative per branch."""
    return Element(tuple(_branches(expr)), many=many, key=key)


def items_of(expr: Expression) -> list[Element]:
    """The items of a list, tuple, comprehension, repetition or concatenation; else those of any iterable."""
    match expr:
        case ListExpr() | TupleExpr():
            return [
                found
                for item in expr.items
                for found in (items_of(item.expr) if isinstance(item, StarExpr) else [one(item)])
            ]
        case ListComprehension():
            return items_of(expr.generator)
        case GeneratorExpr():
            return [one(expr.left_expr, many=True)]
        case OpExpr(op="+" | "*"):
            return _operated(expr)
        case ConditionalExpr():
            return [_repeated(item) for branch in _branches(expr) for item in items_of(branch)]
    return [Element((expr,), many=True, unpack=True)]


def _pairs_of(expr: Expression) -> list[Element]:
    """The values, with literal keys, of a dict display, `dict(...)`, `OrderedDict(...)` or list of pairs."""
    match expr:
        case DictExpr():
            return [_pair(key, value) for key, value in expr.items]
        case DictionaryComprehension():
            return [one(expr.value, many=True)]
        case ListComprehension(generator=GeneratorExpr(left_expr=TupleExpr(items=[_, value]))):
            return [one(value, many=True)]
        case ListExpr() | TupleExpr():
            return [_listed_pair(item) for item in expr.items]
        case CallExpr() if _is_dict_call(expr):
            return [
                found
                for arg, kind, name in zip(expr.args, expr.arg_kinds, expr.arg_names, strict=True)
                for found in _dict_argument(arg, kind == ARG_NAMED, kind == ARG_POS, name)
            ]
    return [UNKNOWN]


def _is_dict_call(expr: Expression) -> bool:
    """Whether this is a call of `dict` or `OrderedDict`."""
    return (
        isinstance(expr, CallExpr)
        and isinstance(expr.callee, RefExpr)
        and getattr(expr.callee, "name", None) in ("dict", "OrderedDict")
    )


def _sequential(call: CallExpr) -> Iterator[Element]:
    if len(call.args) == 1 and _is_dict_call(call.args[0]):
        yield from _pairs_of(call.args[0])
        return
    for arg, kind in zip(call.args, call.arg_kinds, strict=True):
        if kind == ARG_POS:
            yield one(arg)
        elif kind == ARG_STAR:
            yield from items_of(arg)
        else:
            yield UNKNOWN


def _operated(expr: OpExpr) -> list[Element]:
    if expr.op == "+":
        return items_of(expr.left) + items_of(expr.right)
    listed = expr.left if isinstance(expr.left, (ListExpr, TupleExpr)) else expr.right
    return [_repeated(item) for item in items_of(listed)]


def _branches(expr: Expression) -> Iterator[Expression]:
    if isinstance(expr, ConditionalExpr):
        yield from _branches(expr.if_expr)
        yield from _branches(expr.else_expr)
    else:
        yield expr


def _repeated(item: Element) -> Element:
    return Element(item.choices, many=True, unpack=item.unpack)


def _pair(key: Expression | None, value: Expression) -> Element:
    if key is None:
        return UNKNOWN
    if isinstance(key, StrExpr):
        return one(value, key=key.value)
    return one(value, many=True)


def _listed_pair(item: Expression) -> Element:
    if isinstance(item, (TupleExpr, ListExpr)) and len(item.items) == 2:
        return _pair(item.items[0], item.items[1])
    return UNKNOWN


def _dict_argument(arg: Expression, named: bool, positional: bool, name: str | None) -> list[Element]:
    if named:
        return [one(arg, key=name)]
    return _pairs_of(arg) if positional else [UNKNOWN]


KINDS = {"Sequential": SEQUENTIAL, "ModuleList": MODULE_LIST, "ModuleDict": MODULE_DICT}
