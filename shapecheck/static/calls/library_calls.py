"""Calls of installed libraries: their source is run as that of the project, within limits.

The call from the project is a boundary. Code behind it has a budget of its own, and an exception of the engine there
makes the result unknown, as if the library were not installed. Of the findings behind it, only calls that torch is
certain to reject are kept; they are reported at the call.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Hashable

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.class_facts import is_module
from shapecheck.static.domain.fingerprints import NotMemoizable, fingerprint
from shapecheck.static.domain.objects import ClassValue, FunctionValue, Instance, Namespace
from shapecheck.static.domain.values import Method
from shapecheck.static.engine.budget import UNCACHED_FACTOR, LibraryBudget
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.escape import havoc_escaped
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.engine.library_names import definition, value_of
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.symbolic_inputs import RestartAnalysis

_MOST_STEPS = 25_000
"""Of one call."""
_MOST_STEPS_OF_RUN = 100_000
"""Of all calls of an entry point."""
_CERTAIN = frozenset(("shape-mismatch", "dtype-mismatch", "false-assert"))
"""The codes that are reported about the code of a library: it fails with the arguments of the call."""

_IMPORTS_TORCH = lazy_pattern(r"^[ \t]*(?:import|from) torch\b", re.MULTILINE)
_FOLLOWED = (FunctionValue, ClassValue, Method)


def library_call(run: Run, node: ast.AST, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value | None:
    """The result of a function or class from outside the project, if its source is read; else None."""
    if not run.project.has_libraries or "." not in name:
        return None
    known, key = run.session.library_calls, (run.loaded, name)
    if key not in known:
        known[key] = _library_function(run, node, name)
    function = known[key]
    return None if function is None else dispatch.call(run, node, function, args, kwargs)


def _library_function(run: Run, node: ast.AST, name: str) -> Value | None:
    """The function or class of a library with this dotted name, such as `pkg.sub.Class.method`."""
    if run.project.library_file(name.partition(".")[0], run.loaded) is None:
        return None
    prefix, attributes = name, list[str]()
    found = definition(run.session, prefix, run.loaded)
    while found is None and "." in prefix:
        prefix, _, attribute = prefix.rpartition(".")
        attributes.append(attribute)
        found = definition(run.session, prefix, run.loaded)
    value: Value = None if found is None else value_of(run.session, found)
    for attribute in reversed(attributes):
        value = None if isinstance(value, Namespace) else dispatch.attribute(run, node, value, attribute)
    return value if isinstance(value, _FOLLOWED) and _uses_torch(value) else None


def _uses_torch(value: FunctionValue | ClassValue | Method) -> bool:
    """Whether the file that defines a function or class imports torch: only then it is about tensors and layers."""
    function = value.function if isinstance(value, Method) else value
    return _IMPORTS_TORCH.search(function.closure.loaded.text) is not None


def find_spec(run: Run, node: ast.AST, name: Value = None, *_: Value, **__: Value) -> Value:
    """`importlib.util.find_spec` in a library: None if a package is not installed next to it."""
    known = isinstance(name, str) and run.loaded.is_library and not run.project.is_installed(name)
    return None if known else Unknown("a package that may be installed")


def is_at_boundary(run: Run, function: FunctionValue | ClassValue) -> bool:
    """Whether a call leads from the project into a library."""
    return function.closure.loaded.is_library and not isinstance(run.budget, LibraryBudget)


def across_boundary(
    run: Run, function: FunctionValue | ClassValue, given: tuple[Value, ...], call: Callable[[], Value]
) -> Value:
    """The result of a call that leads into a library, with these arguments."""
    key = _key(run, function, given)
    most = min(_MOST_STEPS, _MOST_STEPS_OF_RUN - run.budget.in_libraries)
    if most > 0 and key not in run.session.exhausting:
        own = LibraryBudget(most * (UNCACHED_FACTOR if run.origins.noted else 1))
        findings: dict[FindingKey, Finding] = {}
        mark = run.journal.mark()
        try:
            with run.scope(budget=own, findings=findings, watch=None):
                result = call()
        except RestartAnalysis:
            raise
        except Exception:  # the call is not understood: its result is unknown, as that of any library
            run.journal.undo(mark)
            run.journal.rejoin(mark)
            if key is not None and own.steps >= _MOST_STEPS:
                run.session.exhausting.add(key)
        else:
            run.budget.in_libraries += own.steps
            _keep(run, findings, is_built=isinstance(result, Instance) and is_module(result.cls))
            return result
        run.budget.in_libraries += own.steps
    run.mark_uncacheable()
    havoc_escaped(run, given)
    return Unknown("a call of a library that is not understood")


def _key(run: Run, function: FunctionValue | ClassValue, given: tuple[Value, ...]) -> Hashable:
    """The call with its arguments; None if these cannot be compared."""
    try:
        return function.node, run.origins.noted, *fingerprint(given)[0]
    except NotMemoizable:
        return None


def _keep(run: Run, findings: dict[FindingKey, Finding], *, is_built: bool) -> None:
    """Keeps the findings of the project, and those of libraries that are certain.

    What a library does while it builds a model depends on its own code more than on the arguments.
    """
    for key, finding in findings.items():
        is_certain = not is_built and finding.diagnostic.code in _CERTAIN
        if is_certain or not run.project.is_library(finding.diagnostic.path):
            run.findings.setdefault(key, finding)
