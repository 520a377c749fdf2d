"""Fixtures of pytest that replace functions, classes or attributes before a test runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.calls.functions import run_bound
from shapecheck.static.contracts.opaque_functions import writes_objects
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.loading import SourceModule
from shapecheck.static.engine.run import Run

_TESTS = ("test", "Test")


def apply_fixtures(run: Run, test: FunctionValue) -> None:
    """Makes unknown what the fixtures of a test replace: those with `autouse`, and those that it takes as arguments."""
    if not test.name.startswith(_TESTS):
        return
    taken = {one.name for one in parameters_of(test.node.args)}
    for one in _fixtures(run, test):
        if one.name in taken or _is_automatic(one.node):
            _apply(run, one)


def _apply(run: Run, fixture: FunctionValue) -> None:
    names = (one.name for one in parameters_of(fixture.node.args))
    given: dict[str, Value] = {name: Unknown("an argument of a fixture") for name in names}
    with run.silenced():
        run_bound(run, None, fixture, given)


def _fixtures(run: Run, test: FunctionValue) -> Iterator[FunctionValue]:
    """The fixtures that replace something: of the class of the test, of its file, and of the conftest.py next to it."""
    loaded = test.closure.loaded
    modules = (loaded, run.project.resolve("conftest", loaded, 1))
    holders = [dispatch.run_module(run.session, one) for one in modules if isinstance(one, SourceModule)]
    owner: list[ClassValue] = [] if test.owner is None else list(test.owner.mro())
    for holder in (*owner, *holders):
        for one in holder.fields.values():
            if isinstance(one, FunctionValue) and _is_fixture(one.node) and writes_objects(one.node):
                yield one


@cached_on_node
def _is_fixture(function: ast.AST) -> bool:
    return any(name_of_callee(one) == "fixture" for one in getattr(function, "decorator_list", ()))


@cached_on_node
def _is_automatic(function: ast.AST) -> bool:
    """Whether a fixture is applied to all tests: `@pytest.fixture(autouse=True)`."""
    options = (
        key for one in getattr(function, "decorator_list", ()) if isinstance(one, ast.Call) for key in one.keywords
    )
    return any(key.arg == "autouse" and getattr(key.value, "value", False) is True for key in options)
