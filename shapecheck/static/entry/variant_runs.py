"""Runs the variants of a file's classes and functions: what fails in one of them is a warning that names the condition.

A finding is reported if the same entry point does not have it with the default, and has it whatever the other defaults
are.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from shapecheck.static.calls.overridden_defaults import overridden_defaults
from shapecheck.static.calls.transparent_decorators import has_transparent_decorators
from shapecheck.static.contracts.overloads import is_overload
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.engine.budget import Budget
from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.session import Session
from shapecheck.static.entry.class_entry import run_class
from shapecheck.static.entry.entry_runs import UNCACHED_FACTOR, Found, run_once
from shapecheck.static.entry.receivers import decorators_of
from shapecheck.static.entry.uncalled_methods import is_test
from shapecheck.static.entry.variant_entries import run_function, run_methods
from shapecheck.static.entry.variant_findings import ACCEPTED_BY_TORCH, accepted, as_warning, is_in_branch
from shapecheck.static.entry.variants import Variant, constructor_of, flags_of, names_read, sizes_of

_CALL = "wrong-call"
_FAILURES = frozenset(("shape-mismatch", "dtype-mismatch", _CALL))
_REPORTED = _FAILURES | ACCEPTED_BY_TORCH
_MOST_STEPS = 8_000
_LEAST_STEPS = 600
_SHARE = 0.05


@dataclass(frozen=True)
class VariantEntry:
    """An entry point that variants run, and which of their findings to report."""

    owner: ClassValue | FunctionValue
    body: Callable[[Run], bool]
    """Runs it; false if a constructor refuses its arguments."""
    accepts: Callable[[Finding, Variant], bool] = accepted
    is_nested: bool = False
    """Whether the parameters are those of constructors that the entry point calls."""
    in_rows: bool = False
    """Whether inputs of which only the last size is known are 2-D."""

    def defaults(self, variants: Iterable[Variant] = (), opened: Iterable[ast.AST] = ()) -> EntryDefaults:
        """The defaults of a run of these variants, in which the defaults of the opened parameters are unknown."""
        values = {one.parameter.node: one.value for one in variants}
        made = EntryDefaults(frozenset(opened), in_rows=self.in_rows)
        if self.is_nested:
            made.nested = values
        else:
            made.replaced = values
        return made


class VariantRuns:
    """Runs the variants of one file, after its entry points have run.

    They take a share of the steps of the entry points, the cheapest first.
    """

    def __init__(self, session: Session, found: Found, costs: Sequence[tuple[ClassValue | FunctionValue, int]]) -> None:
        """`costs` are the steps that each class and function took."""
        self._session = session
        self._costs = costs
        self._classes = [one for one, _ in costs if isinstance(one, ClassValue)]
        self._left = _LEAST_STEPS + int(_SHARE * found.steps)
        self._known = found.findings.keys() | found.doubtful.keys()
        self._places: set[tuple[str, int, int]] = set()
        """Where something has been reported."""
        self._called = found.called
        self._overridden = {one[0] for one in found.called if isinstance(one, tuple)}

    def findings(self) -> Iterator[Finding]:
        """What fails in them."""
        for kind in (self._of_constructor, self._of_options, self._of_parts):
            for owner, cost in sorted(self._costs, key=lambda pair: pair[1]):
                if cost > self._left:
                    break
                yield from kind(owner)

    def _of_constructor(self, cls: ClassValue | FunctionValue) -> Iterator[Finding]:
        """What fails for another argument of a constructor."""
        constructor = constructor_of(cls) if isinstance(cls, ClassValue) and not is_test(cls) else None
        if not isinstance(cls, ClassValue) or constructor is None:
            return
        given = self._given(cls)
        entry = self._entry(cls)
        yield from self._of_each(entry, [one for one in flags_of(constructor) if one.parameter.name not in given])
        for variant in sizes_of(constructor):
            for in_rows in (False, True) if variant.parameter.name not in given else ():
                yield from self._of(replace(entry, in_rows=in_rows), variant)

    def _of_options(self, owner: ClassValue | FunctionValue) -> Iterator[Finding]:
        """What fails for another argument of a method or a function."""
        if isinstance(owner, ClassValue):
            yield from self._of_methods(owner, {one: [*flags_of(one)] for one in _methods(owner)})
        elif has_transparent_decorators(owner.node):
            yield from self._of_each(self._entry(owner), flags_of(owner))

    def _of_methods(self, cls: ClassValue, flags: Mapping[FunctionValue, Sequence[Variant]]) -> Iterator[Finding]:
        methods = [one for one, several in flags.items() if several]
        if methods and not is_test(cls):
            entry = VariantEntry(cls, partial(run_methods, cls=cls, given=self._given(cls), methods=methods))
            yield from self._of_each(entry, [one for several in flags.values() for one in several])

    def _of_parts(self, cls: ClassValue | FunctionValue) -> Iterator[Finding]:
        """What fails for another argument of the constructors that a class calls."""
        if isinstance(cls, ClassValue) and not is_test(cls):
            flags = [one for part in self._classes if _builds(cls, part) for one in self._unused_flags(part)]
            yield from self._of_each(replace(self._entry(cls), accepts=is_in_branch, is_nested=True), flags)

    def _entry(self, owner: ClassValue | FunctionValue) -> VariantEntry:
        if isinstance(owner, ClassValue):
            return VariantEntry(owner, partial(run_class, cls=owner, given=self._given(owner)))
        return VariantEntry(owner, partial(run_function, function=owner))

    def _given(self, cls: ClassValue) -> Mapping[str, Value]:
        """The arguments that all calls of a constructor in the file choose instead of defaults."""
        return overridden_defaults(cls, self._called)

    def _unused_flags(self, cls: ClassValue) -> Iterator[Variant]:
        """The flags of a class that some calls of this file leave at their defaults, and none sets."""
        constructor = constructor_of(cls)
        for one in () if constructor is None else flags_of(constructor):
            if one.parameter.default in self._called and one.parameter.node not in self._overridden:
                yield one

    def _of_each(self, entry: VariantEntry, variants: Iterable[Variant]) -> Iterator[Finding]:
        """What fails in one of several: those that exclude one another in turn, the others first all together."""
        for together in _rounds(variants):
            for variant in together if self._may_fail(entry, together) else ():
                if self._left >= 0:
                    yield from self._of(entry, variant)

    def _may_fail(self, entry: VariantEntry, variants: Sequence[Variant]) -> bool:
        if len(variants) < 2:
            return True
        done: list[bool] = []
        found = self._run(entry, entry.defaults(variants), done)
        return bool(self._failures(found)) or not all(done)

    def _of(self, entry: VariantEntry, variant: Variant) -> Iterator[Finding]:
        defaults = entry.defaults([variant])
        new = self._failures(self._run(entry, defaults))
        if not new:
            return
        new -= self._run(entry, entry.defaults()).findings.keys()
        is_call = any(key[3] == _CALL for key in new)
        others = entry.defaults([variant], _opened(variant, defaults, is_call=is_call))
        if new and others.opened:
            new &= self._run(entry, others).findings.keys()
        if new and variant.is_count:
            more = entry.defaults([variant.with_next_count()], others.opened)
            new &= self._run(entry, more).findings.keys()
        if not new:
            return
        again = self._run(entry, others, notes=True)
        for key in sorted(new & again.findings.keys()):
            found = as_warning(again.findings[key], variant)
            place = (found.diagnostic.path, found.diagnostic.line, found.diagnostic.column)
            if place not in self._places and entry.accepts(again.findings[key], variant):
                self._places.add(place)
                yield found

    def _run(
        self, entry: VariantEntry, defaults: EntryDefaults, done: list[bool] | None = None, *, notes: bool = False
    ) -> Found:
        """One run, without findings if it does not end; `done` receives whether there was something to analyze."""
        loaded, unfinished = entry.owner.closure.loaded, self._session.unfinished
        was_unfinished = loaded in unfinished
        unfinished.discard(loaded)
        origins = self._session.origins

        def body(run: Run) -> None:
            went = entry.body(run)
            if done is not None:
                done.append(went)

        with origins.passing() if notes else origins.resting():
            budget = Budget(_MOST_STEPS * (UNCACHED_FACTOR if notes else 1))
            found = run_once(self._session, loaded, entry.owner.node, body, Found(), budget, defaults)
        self._left -= budget.steps
        if loaded in unfinished:
            found.findings.clear()
        (unfinished.add if was_unfinished else unfinished.discard)(loaded)
        return found

    def _failures(self, found: Found) -> set[FindingKey]:
        return {key for key in found.findings.keys() - self._known if key[3] in _REPORTED}


def _rounds(variants: Iterable[Variant]) -> list[list[Variant]]:
    """Groups of variants that may be combined: no two are about the same parameter."""
    rounds: list[list[Variant]] = []
    count: Counter[ast.arg] = Counter()
    for one in variants:
        about = one.parameter.node
        if count[about] == len(rounds):
            rounds.append([])
        rounds[count[about]].append(one)
        count[about] += 1
    return rounds


def _opened(variant: Variant, defaults: EntryDefaults, *, is_call: bool) -> Iterator[ast.AST]:
    """The parameters whose defaults a finding must not depend on.

    For a size, those that may be sizes themselves; layers only if `is_call`, because shapes do not depend on which
    layer it is.
    """
    for node, used in defaults.used.items():
        is_branch = variant.is_size and isinstance(used.value, (bool, str))
        if node not in defaults.replaced and not is_branch and (is_call or not used.is_stable):
            yield node


def _methods(cls: ClassValue) -> Iterator[FunctionValue]:
    """The methods of the class itself that can be analyzed in isolation."""
    for name, one in cls.fields.items():
        if (
            isinstance(one, FunctionValue)
            and isinstance(name, str)
            and not name.startswith("__")
            and "classmethod" not in decorators_of(one)
            and has_transparent_decorators(one.node)
            and not is_overload(one)
        ):
            yield one


def _builds(cls: ClassValue, part: ClassValue) -> bool:
    """Whether a class may build objects of another one."""
    return part not in cls.mro() and part.node.name in names_read(cls.node)
