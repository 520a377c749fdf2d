"""Runs the variants of a file's classes and functions: what fails in one of them is a warning that names the condition.

A finding is reported if the same entry point does not have it with the default, and has it whatever the other defaults
are.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial

from shapecheck.static.calls.overridden_defaults import overridden_defaults
from shapecheck.static.calls.transparent_decorators import has_transparent_decorators
from shapecheck.static.contracts.overloads import is_overload
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ClassValue, FunctionValue
from shapecheck.static.engine.entry_defaults import EntryDefaults
from shapecheck.static.engine.findings import Finding, FindingKey
from shapecheck.static.engine.places import note_at
from shapecheck.static.engine.session import Session
from shapecheck.static.entry.class_entry import run_class
from shapecheck.static.entry.entry_runs import Found
from shapecheck.static.entry.example_runs import example_findings
from shapecheck.static.entry.expected_sizes import steps_for_sizes
from shapecheck.static.entry.input_runs import InputRuns
from shapecheck.static.entry.passed_strings import is_of_branch, passed_strings
from shapecheck.static.entry.receivers import decorators_of
from shapecheck.static.entry.uncalled_methods import is_test
from shapecheck.static.entry.variant_entries import run_function, run_methods
from shapecheck.static.entry.variant_findings import ACCEPTED_BY_TORCH, as_warning, is_in_branch, with_condition
from shapecheck.static.entry.variant_pairs import VariantPair, nested_pairs
from shapecheck.static.entry.variant_runner import CALL, FAILURES, VariantEntry, VariantRunner
from shapecheck.static.entry.variants import Variant, constructor_of, flags_of, given_of, names_read, raises, sizes_of

_LEAST_STEPS = 600
_REPORTED = FAILURES | ACCEPTED_BY_TORCH
_SHARE = 0.05
_RUNS_OF_FINDING = 4
"""With the defaults, and with one variant: whatever the other defaults are, and again for the notes."""


class VariantRuns:
    """Runs the variants of one file, after its entry points have run.

    They take a share of the steps of the entry points, the cheapest first.
    """

    def __init__(
        self,
        session: Session,
        found: Found,
        in_body: Set[FindingKey],
        costs: Sequence[tuple[ClassValue | FunctionValue, int]],
    ) -> None:
        """`in_body` are the findings of the body of the module, `costs` the steps of each class and function."""
        self._runner = VariantRunner(session, found, in_body, int(_SHARE * found.steps))
        self._inputs = InputRuns(self._runner)
        self._costs = costs
        self._classes = [one for one, _ in costs if isinstance(one, ClassValue)]
        self._called = found.called
        self._overridden = {one[0] for one in found.called if isinstance(one, tuple)}

    def findings(self) -> Iterator[Finding]:
        """What fails in them."""
        arguments = (self._of_constructor, self._of_options, self._of_parts)
        for kinds in (arguments, (self._of_optional_tensors,), (self._of_pairs,), (self._of_batches,)):
            self._runner.grant(_LEAST_STEPS)
            for kind in kinds:
                yield from self._of_kind(kind)
        if self._costs:
            self._runner.grant(_LEAST_STEPS)
            yield from example_findings(self._runner, self._costs[0][0].closure.loaded)
            if steps := steps_for_sizes(self._costs[0][0].closure.loaded):
                self._runner.grant(steps)
                yield from self._of_kind(self._of_sizes)

    def _of_kind(self, kind: Callable[[ClassValue | FunctionValue], Iterator[Finding]]) -> Iterator[Finding]:
        for owner, cost in sorted(self._costs, key=lambda pair: pair[1]):
            if cost > self._runner.left:
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
        for one in passed_strings(constructor):
            yield from self._of(entry._replace(accepts=is_of_branch), one) if one.parameter.name not in given else ()
        for variant in sizes_of(constructor):
            for in_rows in (False, True) if variant.parameter.name not in given else ():
                yield from self._of(entry._replace(in_rows=in_rows), variant)

    def _of_options(self, owner: ClassValue | FunctionValue) -> Iterator[Finding]:
        """What fails for another argument of a method or a function."""
        if isinstance(owner, ClassValue):
            yield from self._of_methods(owner, {one: [*flags_of(one)] for one in _methods(owner)})
        elif has_transparent_decorators(owner.node):
            yield from self._of_each(self._entry(owner), flags_of(owner))

    def _of_optional_tensors(self, owner: ClassValue | FunctionValue) -> Iterator[Finding]:
        """What fails if a tensor is given for a parameter whose default is None."""
        if isinstance(owner, ClassValue):
            yield from self._of_methods(owner, {one: [*given_of(one)] for one in _methods(owner)})
            constructor = None if is_test(owner) else constructor_of(owner)
            given = () if constructor is None else given_of(constructor)
            declared = [one.as_stored() for one in given if one.parameter.node.annotation is not None]
            yield from self._of_each(self._entry(owner), declared)
        elif has_transparent_decorators(owner.node):
            yield from self._of_each(self._entry(owner), given_of(owner))

    def _of_pairs(self, owner: ClassValue | FunctionValue) -> Iterator[Finding]:
        """What fails for two arguments, of which one is treated in a branch that the other selects."""
        if isinstance(owner, FunctionValue):
            entry, variants = self._entry(owner), [*flags_of(owner), *given_of(owner)]
            pairs = nested_pairs(variants) if has_transparent_decorators(owner.node) else ()
        elif is_test(owner) or (constructor := constructor_of(owner)) is None:
            return
        else:
            given, methods = self._given(owner), list(_methods(owner))
            entry = VariantEntry(owner, partial(run_methods, cls=owner, given=given, methods=methods))
            variants = [one for one in flags_of(constructor) if one.parameter.name not in given]
            variants += [one for method in methods for one in (*flags_of(method), *given_of(method))]
            pairs = nested_pairs(variants)
        for pair in pairs:
            if self._runner.left >= 0:
                yield from self._of_pair(entry, pair)

    def _of_pair(self, entry: VariantEntry, pair: VariantPair) -> Iterator[Finding]:
        """What fails for both, and for neither alone, whatever the other defaults are."""
        defaults = entry.defaults(pair)
        new = self._runner.failures(self._runner.run(entry, defaults))
        for alone in ((), (pair.outer,), (pair.inner,)) if new else ():
            new -= self._runner.run(entry, entry.defaults(alone)).findings.keys()
        if not new:
            return
        others = entry.defaults(pair, _opened(pair.outer, defaults, is_call=any(key[3] == CALL for key in new)))
        again = self._runner.run(entry, others, notes=True).findings
        for key in sorted(new & again.keys()):
            note = note_at(pair.inner.loaded, pair.inner.parameter.node, f"found with {pair.outer.choice}")
            found = with_condition(again[key], pair.condition, note)
            if pair.accepts(again[key]) and self._runner.is_first(found):
                yield found

    def _of_batches(self, owner: ClassValue | FunctionValue) -> Iterator[Finding]:
        """What fails for a batch of one."""
        if not (isinstance(owner, ClassValue) and is_test(owner)):
            yield from self._inputs.of_batches(self._entry(owner))

    def _of_sizes(self, owner: ClassValue | FunctionValue) -> Iterator[Finding]:
        """What fails for odd sizes."""
        if isinstance(owner, ClassValue) and not is_test(owner):
            yield from self._inputs.of_sizes(self._entry(owner))

    def _of_methods(self, cls: ClassValue, flags: Mapping[FunctionValue, Sequence[Variant]]) -> Iterator[Finding]:
        methods = [one for one, several in flags.items() if several]
        if methods and not is_test(cls):
            entry = VariantEntry(cls, partial(run_methods, cls=cls, given=self._given(cls), methods=methods))
            yield from self._of_each(entry, [one for several in flags.values() for one in several])

    def _of_parts(self, cls: ClassValue | FunctionValue) -> Iterator[Finding]:
        """What fails for another argument of the constructors that a class calls."""
        if isinstance(cls, ClassValue) and not is_test(cls):
            flags = [one for part in self._classes if _builds(cls, part) for one in self._unused_flags(part)]
            yield from self._of_each(self._entry(cls)._replace(accepts=is_in_branch, is_nested=True), flags)

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
                if self._runner.left >= 0:
                    yield from self._of(entry, variant)

    def _may_fail(self, entry: VariantEntry, variants: Sequence[Variant]) -> bool:
        if len(variants) < 2 or any(one.is_given and raises(one.scope) for one in variants):
            return True
        done: list[bool] = []
        before = self._runner.left
        found = self._runner.run(entry, entry.defaults(variants), done)
        if not self._runner.failures(found, _REPORTED):
            return not all(done)
        self._runner.grant((before - self._runner.left) * (_RUNS_OF_FINDING + len(variants)))  # there are few
        return True

    def _of(self, entry: VariantEntry, variant: Variant) -> Iterator[Finding]:
        defaults = entry.defaults([variant])
        new = self._runner.failures(self._runner.run(entry, defaults), _REPORTED)
        if not new:
            return
        new -= self._runner.usual(entry)
        is_call = any(key[3] == CALL for key in new)
        others = entry.defaults([variant], _opened(variant, defaults, is_call=is_call))
        if new and others.opened:
            new &= self._runner.run(entry, others).findings.keys()
        if new and variant.is_count:
            more = entry.defaults([variant.with_next_count()], others.opened)
            new &= self._runner.run(entry, more).findings.keys()
        if not new:
            return
        again = self._runner.run(entry, others, notes=True)
        for key in sorted(new & again.findings.keys()):
            found = as_warning(again.findings[key], variant)
            if entry.accepts(again.findings[key], variant) and self._runner.is_first(found):
                yield found


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
