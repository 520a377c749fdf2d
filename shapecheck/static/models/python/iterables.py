"""Functions that go through items: of Python itself, itertools and functools."""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, maximum, minimum
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.join import join
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import ListValue, Value
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import MOST_ITEMS, items_of
from shapecheck.static.engine.run import Run

_UNKNOWN = "an unknown iterable"


def _listed(make: Callable[..., Iterable[Value]]) -> Callable[..., Value]:
    """A function of iterables that gives one, as far as their items are known."""

    def made(*iterables: Value) -> Value:
        columns = [items_of(one) for one in iterables]
        if any(column is None for column in columns):
            return Unknown(_UNKNOWN)
        return _list(make(*columns))

    return made


def _list(items: Iterable[Value]) -> Value:
    found = tuple(itertools.islice(items, MOST_ITEMS + 1))
    return ListValue(found) if len(found) <= MOST_ITEMS else Unknown("too many items")


def _some(decides: bool) -> Callable[[Value], Value]:
    """`any` where True decides, `all` where False does."""

    def found(iterable: Value) -> Value:
        items = items_of(iterable)
        verdicts = None if items is None else [truth(one) for one in items]
        if verdicts is None or (decides not in verdicts and None in verdicts):
            return Unknown("an open condition")
        return decides if decides in verdicts else not decides

    return found


def _repeat(value: Value, times: Value = None) -> Value:
    return ListValue((value,) * times) if type(times) is int and times <= MOST_ITEMS else Unknown("an endless iterator")


def _islice(iterable: Value, *bounds: Value) -> Value:
    items = items_of(iterable)
    if items is None or not all(one is None or type(one) is int for one in bounds):
        return Unknown(_UNKNOWN)
    return ListValue(tuple(itertools.islice(items, *bounds)))


def _product(*iterables: Value, repeat: Value = 1) -> Value:
    columns = [items_of(one) for one in iterables]
    if type(repeat) is not int or any(column is None for column in columns):
        return Unknown(_UNKNOWN)
    return _list(itertools.product(*(column or () for column in columns), repeat=repeat))


def _chosen(choose: Callable[..., Iterable[Value]]) -> Callable[..., Value]:
    def found(iterable: Value, length: Value) -> Value:
        items = items_of(iterable)
        known = items is not None and type(length) is int
        return _list(choose(items, length)) if known else Unknown(_UNKNOWN)

    return found


def _zip_longest(*iterables: Value, fillvalue: Value = None) -> Value:
    columns = [items_of(one) for one in iterables]
    if any(column is None for column in columns):
        return Unknown(_UNKNOWN)
    return _list(itertools.zip_longest(*(column or () for column in columns), fillvalue=fillvalue))


_chain = _listed(itertools.chain)


def _chained(iterables: Value) -> Value:
    items = items_of(iterables)
    return Unknown(_UNKNOWN) if items is None else _chain(*items)


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "builtins.any": _some(True),
    "builtins.all": _some(False),
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chained,
    "itertools.pairwise": _listed(itertools.pairwise),
    "itertools.product": _product,
    "itertools.permutations": _chosen(itertools.permutations),
    "itertools.combinations": _chosen(itertools.combinations),
    "itertools.repeat": _repeat,
    "itertools.islice": _islice,
    "itertools.zip_longest": _zip_longest,
}


def _next(run: Run, node: ast.AST, iterator: Value, *default: Value) -> Value:
    """The first item of an iterator that is made here; of another, nobody knows how many were taken before."""
    items = items_of(iterator)
    if items is None:
        return Unknown(_UNKNOWN)
    if isinstance(node, ast.Call) and _is_new(node.args[0]):
        return [*items, *default, Unknown("no item")][0]
    return Unknown("perhaps no item") if default or not items else reduce(join, items)


def _is_new(node: ast.expr) -> bool:
    """Whether an expression makes an iterator of its own."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in _MAKING
    return isinstance(node, ast.GeneratorExp)


_MAKING = frozenset("iter reversed map filter parameters named_parameters children modules values items keys".split())

Ask = Callable[..., Value]
"""Calls a value with arguments."""


def _asking(run: Run, node: ast.AST, function: Value) -> Ask:
    return lambda *args: dispatch.call(run, node, function, args, {})


def _filtered(run: Run, node: ast.AST, function: Value, iterable: Value) -> Value:
    items, ask = items_of(iterable), _asking(run, node, function)
    if items is None:
        return Unknown(_UNKNOWN)
    verdicts = [truth(one if function is None else ask(one)) for one in items]
    if None in verdicts:
        return Unknown("items of which some are left out")
    return ListValue(tuple(itertools.compress(items, verdicts)))


def _reduced(run: Run, node: ast.AST, function: Value, iterable: Value, *initial: Value) -> Value:
    items, ask = items_of(iterable), _asking(run, node, function)
    if items is None or not (*initial, *items):
        return Unknown(_UNKNOWN)
    first, *rest = (*initial, *items)
    for one in rest:
        first = ask(first, one)
    return first


def _accumulated(run: Run, node: ast.AST, iterable: Value, function: Value = None) -> Value:
    items = items_of(iterable)
    if items is None or (function is None and not all(isinstance(one, (int, float, Dim)) for one in items)):
        return Unknown(_UNKNOWN)
    add: Any = operator.add if function is None else _asking(run, node, function)
    return _list(itertools.accumulate(items, add))


def _mapped(run: Run, node: ast.AST, function: Value, *iterables: Value) -> Value:
    columns, ask = [items_of(one) for one in iterables], _asking(run, node, function)
    if not columns or any(column is None for column in columns):
        return Unknown(_UNKNOWN)
    return ListValue(tuple(ask(*items) for items in zip(*(column or () for column in columns), strict=False)))


def _starmapped(run: Run, node: ast.AST, function: Value, iterable: Value) -> Value:
    rows, ask = items_of(iterable), _asking(run, node, function)
    given = None if rows is None else [items_of(one) for one in rows]
    if given is None or None in given:
        return Unknown(_UNKNOWN)
    return ListValue(tuple(ask(*(one or ())) for one in given))


def _by_key(
    run: Run, node: ast.AST, items: list[Value], key: Value, order: Callable[..., Any], **options: Any
) -> Value:
    """What `sorted`, `max` or `min`, given as `order`, makes of items by what the function `key` says of each."""
    ask = _asking(run, node, key)
    keyed = [(one if key is None else ask(one), one) for one in items]
    if not all(isinstance(rank, (int, float, str)) for rank, _ in keyed) or not keyed:
        return Unknown("an unknown order")
    try:
        return order(keyed, key=operator.itemgetter(0), **options)
    except TypeError:
        return Unknown("an unknown order")


def sorted_items(run: Run, node: ast.AST, iterable: Value, *, key: Value = None, reverse: Value = False) -> Value:
    """`sorted`."""
    items = items_of(iterable)
    if items is None or not isinstance(reverse, bool):
        return Unknown("an unknown order")
    found = _by_key(run, node, items, key, sorted, reverse=reverse) if items else []
    return found if isinstance(found, Unknown) else ListValue(tuple(one for _, one in found))


def _extreme(of_numbers: Callable[..., Any], of_sizes: Callable[..., Any]) -> Callable[..., Value]:
    """`max` or `min`, of plain values and of sizes."""

    def found(run: Run, node: ast.AST, *args: Value, key: Value = None, **default: Value) -> Value:
        items = items_of(args[0]) if len(args) == 1 else list(args)
        if not items:
            return default.get("default", Unknown("of nothing")) if items == [] else Unknown(_UNKNOWN)
        if key is not None:
            best = _by_key(run, node, items, key, of_numbers)
            return best if isinstance(best, Unknown) else best[1]
        if all(isinstance(one, str) for one in items):
            return of_numbers(items)
        if not all(isinstance(one, (int, float, Dim)) for one in items):
            return Unknown("unknown numbers")
        return (of_sizes if any(isinstance(one, Dim) for one in items) else of_numbers)(*items, *items[:1])

    return found


ASKING: dict[str, Callable[..., Value]] = {
    "builtins.filter": _filtered,
    "builtins.map": _mapped,
    "builtins.max": _extreme(max, maximum),
    "builtins.min": _extreme(min, minimum),
    "builtins.next": _next,
    "builtins.sorted": sorted_items,
    "functools.reduce": _reduced,
    "itertools.accumulate": _accumulated,
    "itertools.starmap": _starmapped,
}
"""Functions that call another one, and so are given the machine and the place."""
