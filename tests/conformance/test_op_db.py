"""A slice of op_db against real CPU torch; `python -m benchmarks.op_db` runs all of it."""

from __future__ import annotations

from functools import cache

import pytest
import torch

from tests.conformance.error_inputs import refusals
from tests.conformance.op_samples import Judged, judged, operators, supports

OPERATORS = operators()
EVERY = 4
"""Each fourth sample of an operator, the first one always."""


@cache
def verdicts(place: int) -> list[Judged]:
    return list(judged(OPERATORS[place], EVERY))


@pytest.mark.parametrize("place", range(len(OPERATORS)), ids=lambda place: OPERATORS[place].formatted_name)
def test_a_rule_says_what_torch_does(place: int) -> None:
    assert [one for one in verdicts(place) if is_wrong(one)] == []


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.bfloat16, torch.complex64], ids=str)
def test_a_rule_promotes_as_torch_does(dtype: torch.dtype) -> None:
    some = (op for op in OPERATORS if supports(op, dtype))
    assert [one for op in some for one in judged(op, every=10, dtype=dtype) if is_wrong(one)] == []


def is_wrong(one: Judged) -> bool:
    return one.verdict.kind in ("wrong", "flagged", "crash") or bool(one.verdict.layout)


def test_most_names_and_most_samples_are_answered() -> None:
    kinds = [(one.name, one.verdict.kind) for place in range(len(OPERATORS)) for one in verdicts(place)]
    assert sum(kind == "exact" for _, kind in kinds) >= 0.95 * len(kinds)
    assert len({name for name, kind in kinds if kind == "exact"}) >= 600


def test_most_of_what_torch_refuses_is_refused_for_the_same_cause() -> None:
    outcomes = [one for op in OPERATORS for one in refusals(op) if one.outcome != "invisible"]
    assert [one for one in outcomes if one.outcome == "crash"] == []
    assert sum(one.outcome == "refused" for one in outcomes) >= 0.8 * len(outcomes)
