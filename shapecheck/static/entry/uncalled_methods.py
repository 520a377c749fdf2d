"""Analyzes the methods of a class that nothing in the file calls, on an object with havocked fields.

The object of a test case is as its set-up methods leave it.
"""

from __future__ import annotations

from functools import partial

from shapecheck.static.calls.transparent_decorators import has_transparent_decorators
from shapecheck.static.contracts.contract import contract_of
from shapecheck.static.contracts.overloads import is_overload
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import NoReturn
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import wary
from shapecheck.static.entry.later_state import havoc_changes
from shapecheck.static.entry.receivers import decorators_of, first_argument

_TEST_CASES = frozenset(("unittest.TestCase", "unittest.case.TestCase"))
_SET_UPS = ("setUpClass", "setup_class", "setUp", "setup_method")


def analyze_uncalled_methods(run: Run, cls: ClassValue, made: Value) -> None:
    """Analyzes each of them in isolation, and leaves the object unchanged."""
    test = is_test(cls)
    if not isinstance(made, Instance) or (not _has_tests(cls) if test else _is_test_mixin(cls)):
        return
    set_ups = _set_ups(cls) if test else []

    def body() -> None:
        if not test:
            havoc_changes(run, made, cls.closure.loaded)
        for method in methods:
            run.journal.apart(partial(_run, run, method, made, set_ups))

    methods = _uncalled(run, cls)
    if methods:
        run.journal.apart(body)


def is_test(cls: ClassValue) -> bool:
    """Whether unittest or pytest runs its methods, each after the set-up methods."""
    if cls.fields.get("__test__") is False:
        return False
    return not _TEST_CASES.isdisjoint(cls.outside()) or (cls.node.name.startswith("Test") and not is_module(cls))


def _has_tests(cls: ClassValue) -> bool:
    """Whether it has tests of its own; a base of test cases without any does not run alone."""
    return any(isinstance(name, str) and name.startswith("test") for base in cls.mro() for name in base.fields)


def _is_test_mixin(cls: ClassValue) -> bool:
    """Whether subclasses run its tests, and set the attributes that these read."""
    name = cls.node.name.lower()
    return not is_module(cls) and ("test" in name or "mixin" in name) and _has_tests(cls)


def _set_ups(cls: ClassValue) -> list[FunctionValue]:
    every = {name: one for base in reversed(cls.mro()) for name, one in base.fields.items()}
    return [one for one in map(every.get, _SET_UPS) if isinstance(one, FunctionValue)]


def _uncalled(run: Run, cls: ClassValue) -> list[FunctionValue]:
    """The methods to analyze; no class methods, because their `cls(...)` often means a subclass."""
    return [
        one
        for name, one in cls.fields.items()
        if isinstance(name, str)
        and name.isidentifier()
        and isinstance(one, FunctionValue)
        and name != "forward"
        and name not in _SET_UPS
        and (name == "__call__" or not name.startswith("__"))
        and one.node not in run.called
        and one.node not in run.analyzed
        and "classmethod" not in decorators_of(one)
        and has_transparent_decorators(one.node)
        and not is_overload(one)
        and contract_of(run, one) is None
    ]


def _run(run: Run, method: FunctionValue, receiver: Instance, set_ups: list[FunctionValue]) -> None:
    with wary(run, enabled=not is_test(receiver.cls)):
        for one in (*set_ups, method):
            done = dispatch.analyze_isolated(run, one, first_argument(one, receiver.cls, receiver))
            if isinstance(done, NoReturn):  # it skips the test
                return
