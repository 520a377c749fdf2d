"""What is printed of a run: a line for each bug, then totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from benchmarks.check_runs.differences import text
from benchmarks.primer.errors import Unreachable
from benchmarks.real_bugs.running import Checked, Missing


def lines(one: Checked) -> Iterator[str]:
    """The bug and the findings that decided about it."""
    bug = one.bug
    yield f"{_status(one):8}{bug.name:28}{bug.symptom:11}{bug.kind:15}{bug.what}"
    judgement = one.judgement
    yield from (f"        before: {text(each)}" for each in judgement.before)
    yield from (f"        after the fix, false: {text(each)}" for each in judgement.after)
    yield from (f"        internal error: {text(each)}" for each in judgement.internal)


def _status(one: Checked) -> str:
    if one.judgement.after:
        return "FALSE"
    return "found" if one.judgement.found else "missed"


def totals(checked: Sequence[Checked]) -> Iterator[str]:
    """How many were found, of all and of each symptom."""
    found = [one for one in checked if one.judgement.found]
    yield f"Found {len(found)} of {len(checked)} bugs"
    for symptom, count in Counter(one.bug.symptom for one in checked).items():
        yield f"  {symptom}: {sum(one.bug.symptom == symptom for one in found)} of {count}"
    false = sum(len(one.judgement.after) for one in checked)
    internal = sum(len(one.judgement.internal) for one in checked)
    yield f"  findings at the fixed commits: {false}; internal errors: {internal}"


def unavailable(missing: Iterable[Missing]) -> Iterator[str]:
    """Why bugs were not looked for, one line each, with what to do about it."""
    for one in missing:
        if isinstance(one.error, Unreachable):
            how = "repeat later, or name a mirror with url.<base>.insteadOf of git"
        else:
            how = "correct its entry in real_bugs.toml"
        yield f"not checked: {one.bug.name}: {one.error}; {how}\n"


def as_data(one: Checked) -> dict[str, Any]:
    """A bug and its findings, for a JSON file."""
    judgement = one.judgement
    return {
        **msgspec.to_builtins(one.bug),
        "found": judgement.found,
        "before": judgement.before,
        "after": judgement.after,
        "elsewhere": judgement.elsewhere,
        "internal errors": judgement.internal,
        "seconds": round(one.seconds, 2),
    }
