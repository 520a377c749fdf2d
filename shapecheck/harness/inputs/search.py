"""Finds sizes that a model takes: distinct primes first, then what its errors ask for.

A prime that an error names tells which axis is meant, because no other axis has that size. What the model asks for is
taken over: the size of a weight, of an attribute, or a multiple of it. A try that gets further than the last is kept.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from torch import nn

from shapecheck.harness.cases.model import CaseError
from shapecheck.harness.inputs.attempt import Attempt, attempt
from shapecheck.harness.inputs.plan import Plan
from shapecheck.harness.inputs.primes import primes
from shapecheck.harness.subject import Subject

_MOST_TRIES = 400
_LARGEST = 1024
_MOST_SECONDS = 20.0
_FACTORS = (2, 4, 8, 16, 32, 64)
_ROOMY = (17, 37, 67, 131, 227)
TOO_SMALL = re.compile(
    r"[Kk]ernel size can't be greater|[Oo]utput size is too small|more than 1 value per channel"
    r"|[Pp]adding size should be less|too small|calculated (padded )?(input|output) size|non-?empty"
    r"|should be greater|at least|zero-size|Expected .* to have (size|length)|sliding blocks"
)
"""What torch says of sizes that leave an operator nothing to do."""
_USUAL = (16, 32, 64, 128, 224, 256, 1)


@dataclass
class Learnt:
    """What the model asks of the sizes of its arguments."""

    last: Attempt
    sizes: dict[str, int] = field(default_factory=dict)
    """Axis names for which one number fits."""
    multiples: dict[str, int] = field(default_factory=dict)
    """Axis names whose size has to be a multiple of a number."""
    origins: dict[str, Attempt] = field(default_factory=dict)
    """By name, the try whose error asked for it."""

    @property
    def plan(self) -> Plan:
        """The best plan so far."""
        return self.last.plan

    @property
    def fits(self) -> bool:
        """Whether the model takes it."""
        return self.last.error is None


def search(subject: Subject) -> Learnt:
    """The plan of the reference run. Raises CaseError where no arguments can be made at all."""
    if subject.declared.inputs is not None:
        return Learnt(attempt(subject, Plan(dict(subject.declared.dims), seed=subject.seed)))
    return _Search(subject).run()


class _Search:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.given = dict(subject.declared.dims)
        self.own = own_sizes(subject.model)
        self.until = time.monotonic() + _MOST_SECONDS
        self.tries = 0
        self.seen: set[tuple[tuple[str, int], ...]] = set()

    def run(self) -> Learnt:
        demands = self.subject.demands
        unknown = self.given.keys() - demands.names().keys()
        if unknown:
            raise CaseError(f"dims= names {', '.join(sorted(unknown))}, and forward has {', '.join(demands.names())}")
        best = self._from(frozenset())
        if not best.fits and not best.last.is_final:
            optional = frozenset(demands.optional())
            without = self._from(optional) if optional else best
            best = without if without.fits else best
        return self._distinct(best) if best.fits else best

    def _from(self, absent: frozenset[str]) -> Learnt:
        """The best that is found with these parameters left out."""
        names = self.subject.demands.names(absent)
        known = self.subject.demands.known_sizes()
        sizes = drawn(names, {**known, **self.given}, self.own)
        plan = Plan(sizes, dict(self.subject.declared.ranges), absent, seed=self.subject.seed)
        state = Learnt(self._contents(plan), {name: known[name] for name in known if name not in self.given})
        while not state.fits and not state.last.is_final and self._has_time():
            better = self._better(state)
            if better is None:
                break
            state = better
        return state

    def _better(self, state: Learnt) -> Learnt | None:
        """The first change of a size that lets the model get further."""
        free = [name for name in state.plan.sizes if name not in self.given and not name.startswith("*")]
        for names, size, multiple in _changes(state, free, self.own):
            plan = state.plan.resized(dict.fromkeys(names, size))
            key = tuple(sorted(plan.sizes.items()))
            if key in self.seen:
                continue
            self.seen.add(key)
            tried = self._contents(plan)
            if tried.error is None or (tried.progress > state.last.progress and not _same_error(tried, state.last)):
                return _with(state, tried, names, size, multiple)
            if not self._has_time():
                return None
        return None

    def _contents(self, plan: Plan) -> Attempt:
        """A try with the integers and floats that the operators ask for."""
        tried = self._attempt(plan)
        changed = self._ranged(plan, tried)
        if changed is not plan:
            plan, tried = changed, self._attempt(changed)
        if tried.error is not None and not tried.is_final:
            for other in _other_contents(plan, tried):
                again = self._attempt(other)
                if again.error is None or again.progress > tried.progress:
                    return again
        return tried

    def _ranged(self, plan: Plan, tried: Attempt) -> Plan:
        """The plan with integers as large as their consumers allow."""
        ranges = dict(plan.ranges)
        for place, limit in tried.limits.items():
            if place not in self.subject.declared.ranges and limit > 0:
                ranges[place] = (0, limit - 1)
        for place, longest in tried.lengths.items():
            if place not in self.subject.declared.ranges:
                ranges[place] = (1, longest)
        return plan if ranges == plan.ranges else replace(plan, ranges=ranges, descending=bool(tried.lengths))

    def _attempt(self, plan: Plan) -> Attempt:
        self.tries += 1
        return attempt(self.subject, plan)

    def _has_time(self) -> bool:
        return self.tries < _MOST_TRIES and time.monotonic() < self.until

    def _distinct(self, best: Learnt) -> Learnt:
        """The plan with free names that differ from all that was learnt, where the model takes that too."""
        fixed = {*self.given, *best.sizes, *best.multiples}
        taken = {size for name, size in best.plan.sizes.items() if name in fixed}
        free = [name for name in best.plan.sizes if name not in fixed and not name.startswith("*")]
        fresh: dict[str, int] = {}
        for name in free:
            now = best.plan.sizes[name]
            is_its_own = now not in taken | set(fresh.values())
            fresh[name] = now if is_its_own else next(primes(self.own | taken | set(fresh.values()), now))
        if all(best.plan.sizes[name] == size for name, size in fresh.items()):
            return best
        tried = self._contents(best.plan.resized(fresh))
        return replace(best, last=tried) if tried.error is None else best


def own_sizes(model: nn.Module) -> frozenset[int]:
    """Every size of a weight or a buffer, and every number among the attributes of the model's modules."""
    found = {size for one in (*model.parameters(), *model.buffers()) for size in one.shape}
    for module in model.modules():
        for value in vars(module).values():
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, int) and not isinstance(number, bool) and number > 0:
                    found.add(number)
    return frozenset(found)


def drawn(names: Mapping[str, int | None], known: Mapping[str, int], own: frozenset[int]) -> dict[str, int]:
    """A size for each name: what is known, else a prime of its own. Runs get as many axes as they are to have."""
    draw = primes(own | set(known.values()))
    found: dict[str, int] = {}
    for name, axes in names.items():
        if axes is None:
            found[name] = known[name] if name in known else next(draw)
        else:
            found[name] = known.get(name, axes)
            found |= {f"{name}.{axis}": next(draw) for axis in range(found[name])}
    return found


def _changes(state: Learnt, free: list[str], own: frozenset[int]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Changes to try, the likeliest first: the names, their new size, and the number that it is a multiple of or 0."""
    sizes, numbers = state.plan.sizes, state.last.numbers
    if TOO_SMALL.search(str(state.last.error)):
        yield from _larger(free, own)
    blamed = [name for name in free if sizes[name] in numbers]
    others = [name for name in free if name not in blamed]
    wanted = [number for number in numbers if 0 < number <= _LARGEST or number in own]
    wanted = sorted(wanted, key=lambda number: (number not in state.last.weights, number not in own))
    for name in blamed:
        yield from (((name,), size, 0) for size in wanted)
    for name in blamed or others:
        yield from (((name,), size, 0) for size in _in_proportion(sizes[name], numbers))
    for name in others:
        yield from (((name,), size, 0) for size in wanted)
    likely = sorted(state.last.weights | {size for size in own if size > 1})
    for name in (*blamed, *others):
        yield from (((name,), size, 0) for size in likely[:40])
    for several in _groups(free):
        for factor in _FACTORS:
            yield from ((several, size * factor, factor) for size in (3, 5))
        yield from ((several, size, 0) for size in (*likely[:40], *_USUAL))


def _larger(free: list[str], own: frozenset[int]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Sizes that leave room for kernels, for the last two axes; no number that would have to be learnt."""
    for least in _ROOMY:
        yield tuple(free[-2:]), next(primes(own, least)), 1


def _in_proportion(size: int, numbers: list[int]) -> Iterator[int]:
    """What the size would be if one number of the error, of which it is a factor, were to become another one."""
    for actual in numbers:
        if actual > size and actual % size == 0:
            yield from (due * size // actual for due in numbers if due != actual and due * size % actual == 0 and due)


def _groups(free: list[str]) -> list[tuple[str, ...]]:
    """Names that are often asked for together: the last two axes, single ones, all but the first."""
    groups = [tuple(free[-2:]), *((name,) for name in free), tuple(free[1:])]
    return [group for group in dict.fromkeys(groups) if group]


def _with(state: Learnt, tried: Attempt, names: tuple[str, ...], size: int, multiple: int) -> Learnt:
    """The state with what this change has taught."""
    sizes, multiples, origins = dict(state.sizes), dict(state.multiples), dict(state.origins)
    for name in names:
        origins.setdefault(name, state.last)
        sizes.pop(name, None)
        multiples.pop(name, None)
        if multiple != 1:
            (multiples if multiple else sizes)[name] = multiple or size
    return Learnt(tried, sizes, multiples, origins)


def _same_error(one: Attempt, other: Attempt) -> bool:
    return str(one.error) == str(other.error)


def _other_contents(plan: Plan, tried: Attempt) -> Iterator[Plan]:
    """The same sizes with other numbers in the tensors."""
    text = str(tried.error)
    if "between 0 and 1" in text or "must be in [0" in text:
        yield replace(plan, unit=True)
    if "sorted" in text or "length" in text.lower() or "greater than 0" in text:
        ranges = {place: (1, max(high, 1)) for place, (_, high) in plan.ranges.items()}
        yield replace(plan, ranges=ranges, descending=True)
    if isinstance(tried.error, IndexError):
        yield replace(plan, ranges={**dict.fromkeys(plan.ranges, (0, 0))})
