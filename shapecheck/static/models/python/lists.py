"""Methods of lists."""

from __future__ import annotations

import ast
from collections.abc import Callable

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ITEMS, ListValue
from shapecheck.static.engine.iteration import has_items, items_of, some_item
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.collections import newest, oldest
from shapecheck.static.models.python.deques import AT_THE_LEFT
from shapecheck.static.models.python.iterables import sorted_items
from shapecheck.static.models.python.summary_collections import add_element
from shapecheck.static.models.python.type_guards import PLAIN

Items = tuple[Value, ...]
_READERS = frozenset("copy index count __contains__ __len__ __getitem__".split())


def of_list(run: Run, node: ast.AST, receiver: ListValue, name: str, args: Items, kwargs: dict[str, Value]) -> Value:
    """The result of a method of a list, which may change the list."""
    items = receiver.items
    if name == "append" and len(args) == 1:
        run.journal.write(receiver, ITEMS, newest(receiver, (*items, args[0])))
        return None
    if name in ("pop", "popleft"):
        return _pop(run, receiver, 0 if name == "popleft" else args[0] if args else -1)
    if name in ("index", "count") and len(args) == 1 and all(isinstance(one, PLAIN) for one in (*items, *args)):
        return items.count(args[0]) if name == "count" else _index(items, args[0])
    if name == "copy":
        return ListValue(items)
    if name == "sort" and not args and kwargs.keys() <= {"key", "reverse"}:
        found = sorted_items(run, node, receiver, **kwargs)
        return _changed(run, receiver, found.items if isinstance(found, ListValue) else None)
    if name in ("extend", "extendleft") and len(args) == 1 and items_of(args[0]) is None and has_items(args[0]):
        add_element(run, receiver, some_item(args[0]))
        return None
    if name in _MUTATORS or name in AT_THE_LEFT:
        return _changed(run, receiver, _items_after(receiver, name, args))
    return Unknown(f"unsupported {name}() of a list") if name in _READERS else _changed(run, receiver, None)


def _items_after(receiver: ListValue, name: str, args: Items) -> Items | None:
    """The items after a call that adds, removes or reorders some; None if they are unknown."""
    at_the_left = name in AT_THE_LEFT
    items = (AT_THE_LEFT if at_the_left else _MUTATORS)[name](receiver.items, args)
    return None if items is None else (oldest if at_the_left else newest)(receiver, items)


def _pop(run: Run, receiver: ListValue, index: Value) -> Value:
    items = receiver.items
    if type(index) is not int or not -len(items) <= index < len(items):
        return _changed(run, receiver, None)
    index %= len(items)
    run.journal.write(receiver, ITEMS, (*items[:index], *items[index + 1 :]))
    return items[index]


def _index(items: Items, item: Value) -> Value:
    return items.index(item) if item in items else Unknown("an index out of range")


def _changed(run: Run, receiver: ListValue, items: Items | None) -> Value:
    """Replaces the items of a list; None makes them unknown."""
    if items is None:
        run.journal.lose(receiver)
        return Unknown("a list after an unknown change")
    run.journal.write(receiver, ITEMS, items)
    return None


def _extended(items: Items, args: Items) -> Items | None:
    more = items_of(args[0]) if len(args) == 1 else None
    return None if more is None else (*items, *more)


def _inserted(items: Items, args: Items) -> Items | None:
    if len(args) != 2 or type(args[0]) is not int:
        return None
    return (*items[: args[0]], args[1], *items[args[0] :])


def _removed(items: Items, args: Items) -> Items | None:
    known = len(args) == 1 and all(isinstance(one, PLAIN) for one in (*items, *args)) and args[0] in items
    index = items.index(args[0]) if known else None
    return None if index is None else (*items[:index], *items[index + 1 :])


_MUTATORS: dict[str, Callable[[Items, Items], Items | None]] = {
    "extend": _extended,
    "insert": _inserted,
    "remove": _removed,
    "reverse": lambda items, args: items[::-1],
    "clear": lambda items, args: (),
}
