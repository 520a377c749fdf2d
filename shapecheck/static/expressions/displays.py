"""Displays of tuples, lists, sets and dicts, and f-strings."""

from __future__ import annotations

import ast
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import DictValue, ListValue
from shapecheck.static.domain.open_sizes import OpenSizes, with_sizes
from shapecheck.static.domain.partly_known import text_of
from shapecheck.static.domain.summary_collections import merged_element, summary_list
from shapecheck.static.domain.values import SummarySequence
from shapecheck.static.engine.dispatch import evaluate
from shapecheck.static.engine.iteration import has_items, items_in, items_of, some_item
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.dicts import is_key, updated
from shapecheck.static.models.python.sets import set_of

_NO_CONVERSION = -1


def tuple_display(run: Run, node: ast.Tuple) -> Value:
    """Evaluates `(a, *b)`."""
    return _elements(run, node.elts)


def list_display(run: Run, node: ast.List) -> Value:
    """Evaluates `[a, *b]`."""
    items = _elements(run, node.elts)
    if isinstance(items, SummarySequence):
        return summary_list(items.item)
    return items if isinstance(items, Unknown) else ListValue(items)


def set_display(run: Run, node: ast.Set) -> Value:
    """Evaluates `{a, *b}`."""
    items = _elements(run, node.elts)
    return set_of(items) if isinstance(items, tuple) else Unknown("an unknown number of items")


def _elements(run: Run, nodes: list[ast.expr]) -> tuple[Value, ...] | SummarySequence | Unknown:
    """The items of a display; if their number is unknown, a sequence that summarizes them."""
    found: list[Value] = []
    is_open = is_unknown = False
    for at, one in enumerate(nodes):
        if not isinstance(one, ast.Starred):
            found.append(evaluate(run, one))
            continue
        several = evaluate(run, one.value)
        more = items_of(several)
        if isinstance(several, OpenSizes):
            return _open_elements(run, found, several, nodes[at + 1 :])
        if more is None and not has_items(several):
            is_unknown = True
            continue
        is_open |= more is None
        found += [some_item(several)] if more is None else more
    if is_unknown:
        return Unknown("an unknown number of items")
    return SummarySequence(reduce(merged_element, found)) if is_open else tuple(found)


def _open_elements(run: Run, before: list[Value], part: OpenSizes, nodes: list[ast.expr]) -> Unknown:
    """The items of a display that contains the shape of a tensor of unknown rank, and then these."""
    after = _elements(run, nodes)
    return with_sizes(before, part, after) if type(after) is tuple else Unknown("an unknown number of items")


def dict_display(run: Run, node: ast.Dict) -> Value:
    """Evaluates `{a: b, **c}`."""
    items: dict[Value, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        known = evaluate(run, value)
        if key is None:
            part = known if isinstance(known, DictValue) else items_in(known)
            if part is None or part.lost:
                return Unknown("a dict with an unknown part")
            items = updated(items, part.items)
            continue
        name = evaluate(run, key)
        if not is_key(name):
            return Unknown("a dict with an unknown key")
        items[name] = known
    return DictValue(items)


def joined_str(run: Run, node: ast.JoinedStr) -> Value:
    """Evaluates `f"{a}"`: if a part is unknown, a string with the beginning and the end that are known."""
    return text_of([_text_of(run, one) for one in node.values])


def _text_of(run: Run, node: ast.expr) -> str | None:
    """The text of a part of an f-string; None if it is unknown."""
    if not isinstance(node, ast.FormattedValue):
        value = evaluate(run, node)
    else:
        value = evaluate(run, node.value)
        if node.format_spec is not None or node.conversion not in (_NO_CONVERSION, ord("s")):
            return None
    return str(value) if isinstance(value, (str, int)) else None
