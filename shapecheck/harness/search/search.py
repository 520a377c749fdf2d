"""Finds sizes that a model accepts: distinct primes first, then what its errors require.

A prime in an error identifies its axis, because no other axis has that size. Sizes that the model requires are
adopted: the size of a weight, of an attribute, or a multiple of it. An attempt that gets further than the last is kept.
In the end each size must be justified: one that only hides a fault (`n` equal to `m`, or 1) is not adopted, unless the
annotations are inferred: these do not promise that sizes can differ.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from shapecheck.harness.cases.model import CaseError
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.inputs.primes import primes
from shapecheck.harness.inputs.sizes import draw_sizes, is_lazy_module, own_sizes, own_tensors
from shapecheck.harness.search.alignment import Align, alignments
from shapecheck.harness.search.attempt import Attempt, attempt, integers
from shapecheck.harness.search.changes import FACTORS, Change, changes
from shapecheck.harness.search.dtypes import other_dtypes
from shapecheck.harness.search.size_constraints import SizeConstraints, is_required_by_model, is_size_of_another_name
from shapecheck.harness.subject import Subject

_MOST_TRIES = 400
_MOST_SECONDS = 20.0
_FIRST_OF_LAZY = 11  # above the sizes of most kernels, so that a weight's sizes identify the axes


def search(subject: Subject, *, aligns: bool = False) -> SizeConstraints:
    """The plan of the reference run. Raises CaseError if no arguments can be generated.

    aligns: whether arguments may get equal sizes if the model accepts no others.
    """
    if subject.declared.inputs is not None:
        return SizeConstraints(attempt(subject, InputPlan(dict(subject.declared.dims), seed=subject.seed)))
    strict = _Search(subject).run()
    if strict.fits or not aligns or strict.last.breaks_contract:
        return strict
    return _Search(subject).aligned(strict)


def attempt_with_values(subject: Subject, plan: InputPlan) -> Attempt:
    """An attempt with these sizes, and with integers and floats in the ranges that the operators require."""
    return _Search(subject)._attempt_with_values(plan)


class _Search:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.declared_sizes = dict(subject.declared.dims)
        self.lazy = is_lazy_module(subject.model)
        self.model_sizes = own_sizes(subject.model)
        self.until = time.monotonic() + _MOST_SECONDS
        self.tries = 0
        self.align: Align | None = None
        self.tried_sizes: set[tuple[frozenset[str], tuple[tuple[str, int], ...]]] = set()

    def run(self) -> SizeConstraints:
        specification = self.subject.specification
        unknown = self.declared_sizes.keys() - specification.names().keys()
        if unknown:
            raise CaseError(
                f"dims=: unknown axis {', '.join(sorted(unknown))}; available: {', '.join(specification.names())}"
            )
        best = self._search_without(frozenset())
        if not best.fits and not best.last.breaks_contract:
            best = self._without_optional(best)
        best.tries = self.tries
        return self._verified(self._with_distinct_sizes(self._generalized(best) if best.fits else best))

    def aligned(self, strict: SizeConstraints) -> SizeConstraints:
        """The first sizes that the model accepts among those in which arguments have sizes in common."""
        optional = frozenset(self.subject.specification.optional())
        for absent in dict.fromkeys((strict.plan.absent, optional)):
            for align in alignments(self.subject.specification, absent):
                self.align = align
                start = self._first_plan(absent)
                start = replace(start, sizes=align(start.sizes))
                state = self._improved(SizeConstraints(self._attempt_with_values(start)))
                if state.fits:
                    state.tries = self.tries
                    return state
        return strict

    def _without_optional(self, given: SizeConstraints) -> SizeConstraints:
        """The sizes that the model accepts without its optional parameters, and which of these cause the failure."""
        optional = frozenset(self.subject.specification.optional())
        without = self._search_without(optional) if optional else given
        if not without.fits:
            return given
        for name in sorted(optional):
            alone = given if len(optional) == 1 else self._search_without(optional - {name})
            if not alone.fits and self._has_time():
                without.refused[name] = alone.last
        return without

    def _search_without(self, absent: frozenset[str]) -> SizeConstraints:
        """The best result with these parameters left out."""
        plan = self._first_plan(absent)
        known = self.subject.specification.known_sizes()
        first = self._attempt_with_values(plan)
        if self.lazy:
            known |= self._initialized_sizes(plan)
        names = self.subject.specification.names(absent)
        return self._improved(
            SizeConstraints(
                first, {name: known[name] for name in known if name in names and name not in self.declared_sizes}
            )
        )

    def _first_plan(self, absent: frozenset[str]) -> InputPlan:
        """Known sizes, and a distinct prime for each other one."""
        names = self.subject.specification.names(absent)
        known = {**self.subject.specification.known_sizes(), **self.declared_sizes}
        sizes = draw_sizes(names, known, self.model_sizes, _FIRST_OF_LAZY if self.lazy else 3)
        return InputPlan(sizes, dict(self.subject.declared.ranges), absent, seed=self.subject.seed)

    def _improved(self, state: SizeConstraints) -> SizeConstraints:
        """The last of the changes with each of which the model gets further."""
        while not state.fits and self._has_time():
            better = self._with_other_dtype(state)
            if better is None and not state.last.is_final:
                better = self._next_improvement(state)
            if better is None:
                break
            state = better
        return state

    def _with_other_dtype(self, state: SizeConstraints) -> SizeConstraints | None:
        """With integers or a mask where the operator that failed asks for them, if the model gets further."""
        for plan in other_dtypes(state.last, self.subject.specification):
            tried = self._attempt_with_values(plan)
            if tried.error is None or tried.progress > state.last.progress:
                return replace(state, last=tried)
        return None

    def _initialized_sizes(self, plan: InputPlan) -> dict[str, int]:
        """Sizes that weights have adopted from the first inputs."""
        self.model_sizes = own_sizes(self.subject.model)
        self.subject.save_buffers()
        taken = {size for one in own_tensors(self.subject.model) for size in one.shape}
        return {name: size for name, size in plan.sizes.items() if size in taken and not name.startswith("*")}

    def _next_improvement(self, state: SizeConstraints) -> SizeConstraints | None:
        """The first change of a size with which the model gets further."""
        free = [name for name in state.plan.sizes if name not in self.declared_sizes and self._is_free(name)]
        for change in changes(state.last, free, self.model_sizes):
            plan = state.plan.resized(dict.fromkeys(change.names, change.size))
            if self.align is not None:
                plan = replace(plan, sizes=self.align(plan.sizes))
            key = (plan.absent, tuple(sorted(plan.sizes.items())))
            if key in self.tried_sizes:
                continue
            self.tried_sizes.add(key)
            tried = self._attempt_with_values(plan)
            if tried.error is None or _is_further(tried, state.last, change):
                return _with_change(state, tried, change)
            if not self._has_time():
                return None
        return None

    def _is_free(self, name: str) -> bool:
        """Whether its size may change: an axis of a run only if that is aligned with others."""
        return not name.startswith("*") or (self.align is not None and name[-1].isdigit())

    def _attempt_with_values(self, plan: InputPlan) -> Attempt:
        """An attempt with integers and floats in the ranges that the operators require."""
        tried = self._attempt(plan)
        changed = self._with_ranges(plan, tried)
        if changed is not plan:
            is_same = self.subject.fake is not None and tried.error is None  # without data, ranges change nothing
            plan, tried = changed, replace(tried, plan=changed) if is_same else self._attempt(changed)
        if tried.error is not None and not tried.is_final:
            for other in _other_values(plan, tried):
                again = self._attempt(other)
                if again.error is None or again.progress > tried.progress:
                    return again
        return tried

    def _with_ranges(self, plan: InputPlan, tried: Attempt) -> InputPlan:
        """The plan with integers as large as their consumers allow."""
        ranges = dict(plan.ranges)
        for low, limits in ((0, tried.limits), (0, tried.starts), (1, tried.lengths)):
            for place, limit in limits.items():
                if place not in self.subject.declared.ranges and limit > 0:
                    ranges[place] = (low, limit - 1 + low)
        starts = plan.starts | frozenset(tried.starts)
        if ranges == plan.ranges and starts == plan.starts:
            return plan
        return replace(plan, ranges=ranges, descending=bool(tried.lengths), starts=starts)

    def _attempt(self, plan: InputPlan) -> Attempt:
        self.tries += 1
        return attempt(self.subject, plan)

    def _has_time(self) -> bool:
        return self.tries < _MOST_TRIES and time.monotonic() < self.until

    def _generalized(self, best: SizeConstraints) -> SizeConstraints:
        """With other sizes if a number that was found is one of many: a multiple, or one that is large enough."""
        best = self._minimal(best)
        groups: dict[int, list[str]] = {}
        for name in (*best.sizes, *best.multiples):
            origin = best.origins.get(name)
            if origin is not None and (name in best.multiples or not self._is_asked(name, best)):
                groups.setdefault(id(origin), []).append(name)
        for names in groups.values():
            for wider in self._generalizations(best, names):
                best = wider
                break
        return best

    def _minimal(self, best: SizeConstraints) -> SizeConstraints:
        """Without the names that were changed together with others unnecessarily."""
        for name in (*best.sizes, *best.multiples):
            origin = best.origins.get(name)
            if origin is None or not any(best.origins[other] is origin for other in best.origins if other != name):
                continue
            tried = self._attempt_with_values(best.plan.resized({name: origin.plan.sizes[name]}))
            if tried.error is None:
                sizes = {other: size for other, size in best.sizes.items() if other != name}
                multiples = {other: size for other, size in best.multiples.items() if other != name}
                best = replace(best, last=tried, sizes=sizes, multiples=multiples)
        return best

    def _generalizations(self, best: SizeConstraints, names: list[str]) -> Iterator[SizeConstraints]:
        sizes = {name: best.plan.sizes[name] for name in names}
        sizes_left = {name: size for name, size in best.sizes.items() if name not in sizes}
        multiples_left = {name: size for name, size in best.multiples.items() if name not in sizes}
        if tried := self._attempt_multiples(best, names, 1, max(sizes.values()) + 1):
            yield replace(best, last=tried, sizes=sizes_left, multiples=multiples_left, least={**best.least, **sizes})
        for factor in FACTORS:
            if any(size % factor for size in sizes.values()) or max(sizes.values()) == 1:
                continue
            if tried := self._attempt_multiples(best, names, factor, 3):
                found = {**multiples_left, **dict.fromkeys(names, factor)}
                yield replace(best, last=tried, sizes=sizes_left, multiples=found)

    def _attempt_multiples(self, best: SizeConstraints, names: list[str], factor: int, first: int) -> Attempt | None:
        """The attempt with different multiples of a factor, if the model accepts these too."""
        draw = primes(self.model_sizes | set(best.plan.sizes.values()) if factor == 1 else (), first)
        found = [
            self._attempt_with_values(best.plan.resized({name: factor * next(draw) for name in names}))
            for _ in range(2)
        ]
        return found[0] if all(one.error is None for one in found) else None

    def _verified(self, best: SizeConstraints) -> SizeConstraints:
        """A failing run, if the model runs with the found sizes only by chance."""
        for name, size in best.sizes.items():
            origin = best.origins.get(name)
            if origin is None or self._is_asked(name, best):
                continue
            if size == 1 or size not in origin.numbers or is_size_of_another_name(name, size, best):
                return SizeConstraints(origin)
            best.hard_coded[name] = origin
        return best

    def _is_asked(self, name: str, best: SizeConstraints) -> bool:
        """Features may also have the size, or twice the size, of any weight or buffer: one axis of a tensor."""
        features: frozenset[int] = frozenset()
        if self.subject.specification.is_feature(name, [*takewhile(lambda other: other != name, best.sizes)]):
            own = {size for one in own_tensors(self.subject.model) for size in one.shape}
            features = frozenset(own | {2 * size for size in own})
        return is_required_by_model(name, best, self.subject.attributes, features)

    def _with_distinct_sizes(self, best: SizeConstraints) -> SizeConstraints:
        """The plan with free names that differ from all inferred sizes, if the model gets as far with it."""
        fixed = {*self.declared_sizes, *best.sizes, *best.multiples}
        taken = {size for name, size in best.plan.sizes.items() if name in fixed}
        free = [
            name
            for name in best.plan.sizes
            if name not in fixed and name not in best.least and not name.startswith("*")
        ]
        fresh: dict[str, int] = {}
        for name in free:
            now = best.plan.sizes[name]
            is_its_own = now not in taken | set(fresh.values())
            fresh[name] = now if is_its_own else next(primes(self.model_sizes | taken | set(fresh.values()), now))
        if all(best.plan.sizes[name] == size for name, size in fresh.items()):
            return best
        tried = self._attempt_with_values(best.plan.resized(fresh))
        return replace(best, last=tried) if _is_as_far(tried, best.last) else best


def _with_change(state: SizeConstraints, tried: Attempt, change: Change) -> SizeConstraints:
    """The state with what this change has shown."""
    sizes, multiples, origins = dict(state.sizes), dict(state.multiples), dict(state.origins)
    for name in change.names:
        origins[name] = state.last
        sizes.pop(name, None)
        multiples.pop(name, None)
        if change.multiple != 1:
            (multiples if change.multiple else sizes)[name] = change.multiple or change.size
    return SizeConstraints(tried, sizes, multiples, {}, origins)


def _is_as_far(tried: Attempt, last: Attempt) -> bool:
    if last.error is None or tried.error is None:
        return tried.error is None
    return tried.progress >= last.progress


def _is_further(tried: Attempt, last: Attempt, change: Change) -> bool:
    """Whether it reached a later operator, or the same one no longer names the changed sizes."""
    if str(tried.error) == str(last.error) or tried.progress < last.progress:
        return False
    if tried.progress > last.progress:
        return True
    told = {change.size, *(last.plan.sizes[name] for name in change.names)}
    return change.size in last.weights and not told.intersection(tried.numbers)


def _other_values(plan: InputPlan, tried: Attempt) -> Iterator[InputPlan]:
    """The same sizes with other values in the tensors."""
    text = str(tried.error)
    places = integers(tried.given)
    if "between 0 and 1" in text or "must be in [0" in text:
        yield replace(plan, unit=True)
    if not places:
        return
    if "sorted" in text or "length" in text.lower() or "greater than 0" in text:
        ranges = {place: (1, max(plan.ranges.get(place, (1, 1))[1], 1)) for place in places}
        yield replace(plan, ranges=ranges, descending=True)
    if isinstance(tried.error, IndexError) or "out of bounds" in text or "out of range" in text:
        yield replace(plan, ranges=dict.fromkeys(places, (0, 0)))
