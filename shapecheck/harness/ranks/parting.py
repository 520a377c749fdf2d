"""The end of one of several processes: it stays for others that may still read what it sent, but for no longer."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from shapecheck.harness.ranks.records import Failure, RankFiles, RankRecord

_PARTING_SECONDS = 2.0
"""How long a process that is done stays."""
_LOOK_SECONDS = 0.02


def part(own: RankFiles, others: Sequence[RankFiles]) -> bool:
    """Stay until all are done, at most for `_PARTING_SECONDS`. Return whether another process waits in vain.

    That is known before its time is up: it has called a collective that this process, which calls no more, has not.
    """
    called = _calls(own)
    until = time.monotonic() + _PARTING_SECONDS
    while time.monotonic() < until:
        missing = [other for other in others if not other.record.exists()]
        if any(_calls(other) - called for other in missing):
            return True
        if not missing:
            break
        time.sleep(_LOOK_SECONDS)
    return False


def with_others_waiting(record: RankRecord) -> RankRecord:
    """The record of a process for which another one waits in vain. An exception of its own is the reason for that."""
    if record.failure is not None:
        return record
    return replace(record, failure=Failure("mismatch between collectives: it is done", is_connection=True))


def _calls(files: RankFiles) -> Counter[str]:
    """How many collectives of each group a process has called."""
    return Counter(one.group for one in files.read_collectives())
