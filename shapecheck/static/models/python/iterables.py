"""Functions that iterate: builtins, itertools and functools."""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Iterable
from functools import reduce
from typing import TypeAlias, TypeVar

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, maximum, minimum
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.join import join
from shapecheck.static.domain.objects import IS_TOP, SUMMARY, ListValue
from shapecheck.static.domain.summary_collections import is_summary, merged_element
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import SummarySequence
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.iteration import MOST_ITEMS, has_items, items_of, some_item
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.type_guards import are_numbers, are_optional_integers

_UNKNOWN = "an unknown iterable"
_T = TypeVar("_T")


def _listed(make: Callable[..., Iterable[Value]]) -> Callable[..., Value]:
    """A model of a function that combines the items of iterables into an iterator."""

    def listed(*iterables: Value) -> Value:
        columns = [items_of(one) for one in iterables]
        if any(column is None for column in columns):
            return Unknown(_UNKNOWN)
        return _list(make(*columns))

    return listed


def _list(items: Iterable[Value]) -> Value:
    found = tuple(itertools.islice(items, MOST_ITEMS + 1))
    return ListValue(found) if len(found) <= MOST_ITEMS else Unknown("too many items")


def _short_circuit(decides: bool) -> Callable[[Value], Value]:
    """A model of `any` if `decides` is True, of `all` if it is False."""

    def short_circuit(iterable: Value) -> Value:
        items = items_of(iterable)
        verdicts = None if items is None else [truth(one) for one in items]
        if verdicts is None or (decides not in verdicts and None in verdicts):
            return Unknown("a condition with unknown result")
        return decides if decides in verdicts else not decides

    return short_circuit


def _repeat(value: Value, times: Value = None) -> Value:
    return ListValue((value,) * times) if type(times) is int and times <= MOST_ITEMS else Unknown("an endless iterator")


def _islice(iterable: Value, *bounds: Value) -> Value:
    items = items_of(iterable)
    if items is None or not are_optional_integers(bounds):
        return Unknown(_UNKNOWN)
    return ListValue(tuple(itertools.islice(items, *bounds)))


def _product(*iterables: Value, repeat: Value = 1) -> Value:
    columns = [items_of(one) for one in iterables]
    if type(repeat) is not int or any(column is None for column in columns):
        return Unknown(_UNKNOWN)
    return _list(itertools.product(*(column or () for column in columns), repeat=repeat))


def _selections(select: Callable[..., Iterable[Value]]) -> Callable[..., Value]:
    """A model of `permutations` or `combinations`."""

    def selections(iterable: Value, length: Value) -> Value:
        items = items_of(iterable)
        known = items is not None and type(length) is int
        return _list(select(items, length)) if known else Unknown(_UNKNOWN)

    return selections


def _zip_longest(*iterables: Value, fillvalue: Value = None) -> Value:
    columns = [items_of(one) for one in iterables]
    if any(column is None for column in columns):
        return Unknown(_UNKNOWN)
    return _list(itertools.zip_longest(*(column or () for column in columns), fillvalue=fillvalue))


_chain = _listed(itertools.chain)


def _chain_from_iterable(iterables: Value) -> Value:
    items = items_of(iterables)
    return Unknown(_UNKNOWN) if items is None else _chain(*items)


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "builtins.any": _short_circuit(True),
    "builtins.all": _short_circuit(False),
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_from_iterable,
    "itertools.pairwise": _listed(itertools.pairwise),
    "itertools.product": _product,
    "itertools.permutations": _selections(itertools.permutations),
    "itertools.combinations": _selections(itertools.combinations),
    "itertools.repeat": _repeat,
    "itertools.islice": _islice,
    "itertools.zip_longest": _zip_longest,
}


def _next(run: Run, node: ast.AST, iterator: Value, *default: Value) -> Value:
    """The first item of an iterator created in the call; any item of another one, whose position is unknown."""
    items = items_of(iterator)
    if items is not None and isinstance(node, ast.Call) and _creates_iterator(node.args[0]):
        return [*items, *default, Unknown("an empty iterator")][0]
    some = _advance(run, iterator, items)
    return Unknown("possibly no item") if default else some


def _advance(run: Run, iterator: Value, items: list[Value] | None) -> Value:
    """Any item of an iterator, of which an unknown number remains."""
    if not items:
        return some_item(iterator) if is_summary(iterator) else Unknown(_UNKNOWN)
    if isinstance(iterator, ListValue):
        run.journal.write(iterator, SUMMARY, reduce(merged_element, items))
        run.journal.write(iterator, IS_TOP, True)
    return reduce(join, items)


def _creates_iterator(node: ast.expr) -> bool:
    """Whether an expression creates an iterator."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in _ITERATOR_FACTORIES
    return isinstance(node, ast.GeneratorExp)


_ITERATOR_FACTORIES = frozenset(
    "iter reversed map filter parameters named_parameters children modules values items keys".split()
)


def _caller(run: Run, node: ast.AST, function: Value) -> Callable[..., Value]:
    """A Python function that calls a value of the program with positional arguments."""
    return lambda *args: dispatch.call(run, node, function, args, {})


def _filter(run: Run, node: ast.AST, function: Value, iterable: Value) -> Value:
    items, call = items_of(iterable), _caller(run, node, function)
    if items is None:
        return Unknown(_UNKNOWN)
    verdicts = [truth(one if function is None else call(one)) for one in items]
    if None in verdicts:
        return Unknown("items of which some may be filtered out")
    return ListValue(tuple(itertools.compress(items, verdicts)))


def _reduce(run: Run, node: ast.AST, function: Value, iterable: Value, *initial: Value) -> Value:
    items, call = items_of(iterable), _caller(run, node, function)
    if items is None or not (*initial, *items):
        return Unknown(_UNKNOWN)
    first, *rest = (*initial, *items)
    for one in rest:
        first = call(first, one)
    return first


def _accumulate(run: Run, node: ast.AST, iterable: Value, function: Value = None) -> Value:
    items = items_of(iterable)
    if items is None or (function is None and not are_numbers(items)):
        return Unknown(_UNKNOWN)
    combine: Callable[[Value, Value], Value] = operator.add if function is None else _caller(run, node, function)
    return _list(itertools.accumulate(items, combine))


def _map(run: Run, node: ast.AST, function: Value, *iterables: Value) -> Value:
    columns, call = [items_of(one) for one in iterables], _caller(run, node, function)
    if any(column is None for column in columns) and all(map(has_items, iterables)):
        return SummarySequence(call(*map(some_item, iterables)))
    if not columns or any(column is None for column in columns):
        return Unknown(_UNKNOWN)
    return ListValue(tuple(call(*items) for items in zip(*(column or () for column in columns), strict=False)))


def _starmap(run: Run, node: ast.AST, function: Value, iterable: Value) -> Value:
    rows, call = items_of(iterable), _caller(run, node, function)
    arguments = None if rows is None else [items_of(one) for one in rows]
    if arguments is None or None in arguments:
        return Unknown(_UNKNOWN)
    return ListValue(tuple(call(*(one or ())) for one in arguments))


_Pairs: TypeAlias = list[tuple[Value, Value]]
"""Items, each after its sort key."""
_sort_key = operator.itemgetter(0)


def _by_key(run: Run, node: ast.AST, items: list[Value], key: Value, order: Callable[[_Pairs], _T]) -> _T | Unknown:
    """The result of `order` for pairs of a sort key and an item; `key` is the function that computes a sort key."""
    call = _caller(run, node, key)
    pairs = [(one if key is None else call(one), one) for one in items]
    if not all(isinstance(sort_key, (int, float, str)) for sort_key, _ in pairs) or not pairs:
        return Unknown("an unknown order")
    try:
        return order(pairs)
    except TypeError:
        return Unknown("an unknown order")


def sorted_items(run: Run, node: ast.AST, iterable: Value, *, key: Value = None, reverse: Value = False) -> Value:
    """The result of `sorted`."""
    items = items_of(iterable)
    if items is None or not isinstance(reverse, bool):
        return Unknown("an unknown order")
    if not items:
        return ListValue()
    found = _by_key(run, node, items, key, lambda pairs: sorted(pairs, key=_sort_key, reverse=reverse))
    return found if isinstance(found, Unknown) else ListValue(tuple(one for _, one in found))


def _extreme(of_plain: Callable[..., Value], of_sizes: Callable[..., Value]) -> Callable[..., Value]:
    """A model of `max` or `min`, given the function for plain values and the one for symbolic sizes."""

    def extreme(run: Run, node: ast.AST, *args: Value, key: Value = None, **default: Value) -> Value:
        items = items_of(args[0]) if len(args) == 1 else list(args)
        if not items:
            return (
                default.get("default", Unknown("minimum or maximum of no values")) if items == [] else Unknown(_UNKNOWN)
            )
        if key is not None:
            best = _by_key(run, node, items, key, lambda pairs: of_plain(pairs, key=_sort_key))
            return best[1] if isinstance(best, tuple) else best
        if all(isinstance(one, str) for one in items):
            return of_plain(items)
        if not are_numbers(items):
            return Unknown("unknown numbers")
        return (of_sizes if any(isinstance(one, Dim) for one in items) else of_plain)(*items, *items[:1])

    return extreme


ASKING: dict[str, Callable[..., Value]] = {
    "builtins.filter": _filter,
    "builtins.map": _map,
    "builtins.max": _extreme(max, maximum),
    "builtins.min": _extreme(min, minimum),
    "builtins.next": _next,
    "builtins.sorted": sorted_items,
    "functools.reduce": _reduce,
    "itertools.accumulate": _accumulate,
    "itertools.starmap": _starmap,
}
"""Functions that may call other functions: their first arguments are the run and the node."""
