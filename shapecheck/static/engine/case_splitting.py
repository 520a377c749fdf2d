"""Case splitting: evaluates an operation once for each combination of its alternatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import product
from math import prod

from shapecheck.diagnostics import Note
from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, Never, members_of
from shapecheck.static.domain.join import join
from shapecheck.static.engine.findings import Finding
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.scopes import TrialResult, attempt

_MOST_CASES = 8


def map_alternatives(run: Run, action: Callable[..., Value], *values: Value) -> Value:
    """The join of the results of `action(*values)` over the alternatives of the values.

    Findings are reported only if every case has one: a case that fails may be one that a flag excludes.
    """
    for one in values:
        if type(one) is Alternatives:
            break
    else:
        return action(*values)
    members = [members_of(one) for one in values]
    if prod(map(len, members)) > _MOST_CASES or not run.may_nest():
        return action(*(Unknown("one of several values") if isinstance(one, Alternatives) else one for one in values))
    trials = [attempt(run, partial(action, *case)) for case in product(*members)]
    going_on = [one for one in trials if not isinstance(one.result, Never)]
    run.journal.merge([one.changes for one in going_on])
    _take_findings(run, trials)
    return reduce(join, (one.result for one in going_on or trials))


def _take_findings(run: Run, trials: Sequence[TrialResult]) -> None:
    fails_always = all(one.findings for one in trials)
    for one in trials:
        if fails_always or not one.findings:
            run.called.update(one.called)
    if fails_always:
        for key, finding in trials[0].findings.items():
            run.findings.setdefault(key, _with_count(finding, len(trials)))


def _with_count(finding: Finding, count: int) -> Finding:
    one = finding.diagnostic
    note = Note(one.path, one.line, one.column, f"all {count} possible values fail; this is the first")
    return Finding(replace(one, notes=(*one.notes, note)), finding.callers, finding.conflict)
