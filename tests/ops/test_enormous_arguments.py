"""Every rule, given numbers beyond reason: an answer or a refusal at once."""

from __future__ import annotations

import signal
import time
from typing import Any

import pytest

from shapecheck import ShapeError, TensorSpec, infer
from shapecheck.ops.families import load
from shapecheck.ops.registry import TABLE

BIG = 10**12
OPEN = TensorSpec((..., 3), "float32")
CLOSED = TensorSpec((2, 3), "float32")
ARGUMENTS: list[tuple[Any, ...]] = [
    (OPEN, BIG),
    (OPEN, -BIG),
    (OPEN, 1, BIG),
    (OPEN, (BIG,)),
    (CLOSED, BIG),
    (CLOSED, (BIG, BIG)),
    (OPEN, OPEN, BIG),
    ([CLOSED, CLOSED], BIG),
    (BIG,),
    ((BIG, BIG),),
]


@pytest.mark.parametrize("args", ARGUMENTS, ids=lambda args: " ".join(str(one) for one in args).replace("::", ":"))
def test_no_rule_takes_long(args: tuple[Any, ...]) -> None:
    load()
    assert [name for name in TABLE if _seconds(name, args) > 0.5] == []


def _seconds(name: str, args: tuple[Any, ...]) -> float:
    def too_long(*_: object) -> None:
        raise KeyboardInterrupt(name)

    before = signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, 5)
    began = time.process_time()
    try:
        infer(name, *args)
    except ShapeError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return time.process_time() - began
