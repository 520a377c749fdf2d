"""Analyzes the methods of a class that nothing in the file calls, on an object with havocked fields.

The object of a test case is as its set-up methods leave it.
"""

from __future__ import annotations

from functools import partial

from shapecheck.ops import ModuleSpec, Unknown
from shapecheck.spec.presentation import value_text
from shapecheck.static.calls.functions import has_transparent_decorators
from shapecheck.static.contracts.contract import contract_of
from shapecheck.static.contracts.overloads import is_overload
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import LAYER, is_module
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, ModuleContainer
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import wary
from shapecheck.static.entry.receivers import assigned, decorators_of, first_argument, is_plain

_TEST_CASES = frozenset(("unittest.TestCase", "unittest.case.TestCase"))
_SET_UPS = ("setUpClass", "setup_class", "setUp", "setup_method")


def analyze_uncalled_methods(run: Run, cls: ClassValue, made: Value) -> None:
    """Analyzes each of them in isolation, and leaves the object unchanged."""
    if not isinstance(made, Instance):
        return
    test = is_test(cls)
    receiver = made if test else _with_havocked_fields(made)
    set_ups = _set_ups(cls) if test else []
    for method in _uncalled(run, cls):
        run.journal.apart(partial(_run, run, method, receiver, set_ups))


def is_test(cls: ClassValue) -> bool:
    """Whether unittest or pytest runs its methods, each after the set-up methods."""
    return not _TEST_CASES.isdisjoint(cls.outside()) or (cls.node.name.startswith("Test") and not is_module(cls))


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
            dispatch.analyze_isolated(run, one, first_argument(one, receiver.cls, receiver))


def _with_havocked_fields(made: Instance) -> Instance:
    """A copy of the object with unknown fields, except layers and plain values that no method assigns."""
    some = Instance(made.cls)
    changed = {name for cls in made.cls.mro() for name in assigned(cls)}
    for name, value in made.fields.items():
        stays = name == LAYER or (name not in changed and _is_stable(value))
        some.fields[name] = value if stays else Unknown(f"attribute {value_text(name)} that may have changed")
    return some


def _is_stable(value: Value) -> bool:
    """Whether a value is immutable, or a layer or model, so that other code does not change its content."""
    if isinstance(value, tuple):
        return all(map(_is_stable, value))
    return is_plain(value) or isinstance(value, (ModuleSpec, ModuleContainer)) or _is_model(value)


def _is_model(value: Value) -> bool:
    return isinstance(value, Instance) and is_module(value.cls)
