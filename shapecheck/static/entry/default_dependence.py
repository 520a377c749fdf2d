"""Which findings of an entry point depend on the value of a default, and what is reported about them.

A default that no call selects is one of many possible values. The entry point is run again with unknown values instead:
findings that occur again hold for all values. The others become warnings, unless the default is a placeholder.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from shapecheck.diagnostics import Severity
from shapecheck.ops import ModuleSpec
from shapecheck.project.tree_walk import walk
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.entry_defaults import UsedDefault
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.engine.places import note_at

FoundWith = Callable[[frozenset[ast.AST]], Container[FindingKey]]
"""The findings of a run in which the defaults of these parameters and options are unknown values."""


def dependent_findings(
    keys: Iterable[FindingKey], used: Iterable[UsedDefault], found_with: FoundWith
) -> dict[FindingKey, UsedDefault]:
    """The findings that occur only with the value of a default, each with a default that decides.

    If a placeholder is among those that decide, it is that one.
    """
    found: dict[FindingKey, UsedDefault] = {}
    every = sorted(used, key=lambda one: not one.is_placeholder("wrong-call"))
    for is_call, group in groupby(sorted(keys, key=_is_call), _is_call):
        defaults = [one for one in every if is_call or not one.is_stable]
        if defaults:
            general = found_with(_nodes(defaults))
            found |= _decided({key for key in group if key not in general}, defaults, 0, len(defaults), found_with)
    return found


def deciding_with(
    finding: Finding, key: FindingKey, default: UsedDefault, used: Iterable[UsedDefault], found_with: FoundWith
) -> frozenset[ast.expr]:
    """The default that a finding depends on, and those of the same function that it depends on, too."""
    if default.owner is None or default.default is None:
        return frozenset()
    others = [one for one in used if one.owner is default.owner and one.default is not None]
    found = [one.default for one in others if one is default or key not in found_with(frozenset((one.node,)))]
    return frozenset(one for one in (*found, *_tested_around(finding, default)) if one is not None)


def _tested_around(finding: Finding, default: UsedDefault) -> Iterator[ast.expr]:
    """The defaults of None that the branch with a finding requires: another value selects another branch."""
    function, place = default.owner, finding.diagnostic
    if not isinstance(function, ast.FunctionDef) or str(place.path) != str(default.place.loaded.path):
        return
    branches = [one for one in walk(function) if isinstance(one, ast.If)]
    for parameter in parameters_of(function.args):
        is_none = isinstance(parameter.default, ast.Constant) and parameter.default.value is None
        required = (_requires_none(one, parameter.name, place.line) for one in branches)
        if parameter.default is not None and is_none and any(required):
            yield parameter.default


def _requires_none(branch: ast.If, name: str, line: int) -> bool:
    """Whether a line is in the branch of `if x is None`, `if x is not None` or `if x` that runs if x is None."""
    test, is_none = branch.test, False
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, is_none = test.operand, True
    elif isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant) and len(test.ops) == 1:
        is_none = isinstance(test.ops[0], ast.Is)
        test = test.left if test.comparators[0].value is None else test
    block = branch.body if is_none else branch.orelse
    is_inside = bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or line)
    return is_inside and isinstance(test, ast.Name) and test.id == name


def _is_call(key: FindingKey) -> bool:
    """Whether it may depend on a default that is a layer; shapes do not depend on which layer that is."""
    return key[-1] == "wrong-call"


def _decided(
    keys: set[FindingKey], defaults: Sequence[UsedDefault], low: int, high: int, found_with: FoundWith
) -> Iterator[tuple[FindingKey, UsedDefault]]:
    """For findings that occur if the first `low` defaults are unknown, but not if the first `high` ones are."""
    if not keys:
        return
    if high - low == 1:
        yield from ((key, defaults[low]) for key in keys)
        return
    middle = (low + high) // 2
    found = found_with(_nodes(defaults[:middle]))
    later = {key for key in keys if key in found}
    yield from _decided(keys - later, defaults, low, middle, found_with)
    yield from _decided(later, defaults, middle, high, found_with)


def _nodes(defaults: Iterable[UsedDefault]) -> frozenset[ast.AST]:
    return frozenset(one.node for one in defaults)


def as_warning(finding: Finding, default: UsedDefault) -> Finding:
    """The finding as a warning, with a note on the default that it depends on."""
    one = finding.diagnostic
    note = note_at(default.place.loaded, default.node, f"found {default.text}; another value may avoid it")
    severity = Severity.WARNING if one.severity is Severity.ERROR else one.severity
    return Finding(replace(one, severity=severity, notes=(*one.notes, note)), finding.callers)


def is_broken_layer(finding: Finding, default: UsedDefault) -> bool:
    """Whether a call is wrong because the default is a layer where a class is expected, whatever callers pass."""
    return isinstance(default.value, ModuleSpec) and finding.diagnostic.code == "wrong-call"
