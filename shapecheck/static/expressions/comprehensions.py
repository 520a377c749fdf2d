"""Comprehensions and generator expressions, evaluated item by item if the items are known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Absent, Value
from shapecheck.static.domain.objects import DictValue, ListValue, Namespace
from shapecheck.static.domain.summary_collections import any_of, merged_element, summary_dict, summary_list
from shapecheck.static.domain.truth import truth
from shapecheck.static.domain.values import SummarySequence
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.iteration import items_of, some_item
from shapecheck.static.engine.run import Run
from shapecheck.static.models.python.dicts import is_key
from shapecheck.static.models.python.sets import set_of
from shapecheck.static.models.python.special_methods import iterated
from shapecheck.static.narrowing.narrow import narrow

_OPEN_COMPREHENSION = "a comprehension over an unknown iterable"


def comprehension(run: Run, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Value:
    """Evaluates a list or set comprehension or a generator expression."""
    found: list[Value] = []
    with _own_names(run):
        complete = _generate(run, node.generators, lambda: found.append(evaluate(run, node.elt)))
    if not complete:
        made: Value = _summarized(node, found)
    elif isinstance(node, ast.SetComp):
        made = set_of(found)
    else:
        made = ListValue(tuple(found))
    for rule in run.rules.repeated.get("for"):
        rule(run, node, tuple(found), made)
    return made


def _summarized(node: ast.ListComp | ast.GeneratorExp | ast.SetComp, found: list[Value]) -> Value:
    """The summary collection of a comprehension whose items are not all known."""
    if not found:
        return Unknown(_OPEN_COMPREHENSION)
    return (summary_list if isinstance(node, ast.ListComp) else SummarySequence)(reduce(merged_element, found))


def dict_comprehension(run: Run, node: ast.DictComp) -> Value:
    """Evaluates `{a: b for ...}`."""
    found: dict[Value, Value] = {}

    def put() -> None:
        key = evaluate(run, node.key)
        found[key if is_key(key) else Absent()] = evaluate(run, node.value)  # unknown keys are kept apart

    with _own_names(run):
        complete = _generate(run, node.generators, put)
    if not complete or not all(map(is_key, found)):
        return summary_dict(reduce(merged_element, found.values())) if found else Unknown(_OPEN_COMPREHENSION)
    return DictValue(found)


@contextmanager
def _own_names(run: Run) -> Iterator[None]:
    """Enters the namespace of a comprehension, which has its own variables."""
    frame, outer = run.frame, run.frame.scope
    frame.scope = Namespace(outer.loaded, outer, {"__class__": outer.fields.get("__class__")})
    frame.scope.call = outer.call
    try:
        yield
    finally:
        frame.scope = outer


def _generate(run: Run, generators: list[ast.comprehension], each: Callable[[], None]) -> bool:
    """Runs `each` for every item; False if the items, or which of them pass the conditions, are unknown."""
    if not generators:
        each()
        return True
    first, *rest = generators
    iterable = iterated(run, first.iter, evaluate(run, first.iter))
    items = items_of(iterable)
    if items is None:
        with run.silenced():
            dispatch.assign(run, first.target, some_item(iterable))
        _run_tentatively(run, first.ifs, lambda: _generate(run, rest, each))
        return False
    for index, item in enumerate(items):
        run.step()
        dispatch.assign(run, first.target, item)
        verdicts = [truth(evaluate(run, test)) for test in first.ifs]
        if None in verdicts:
            with run.silenced():
                dispatch.assign(run, first.target, any_of(items[index:]))
            _run_tentatively(run, first.ifs, lambda: _generate(run, rest, each))
            return False
        if all(verdicts) and not _generate(run, rest, each):
            return False
    return True


def _run_tentatively(run: Run, tests: list[ast.expr], action: Callable[[], bool]) -> None:
    """Runs `action` for an item that may be filtered out; its findings are discarded."""
    if not tests:
        action()
        return
    with run.silenced():
        run.branch(
            lambda: (action(), True) if all(narrow(run, one, True) for one in tests) else (False, False),
            lambda: (False, True),
        )
