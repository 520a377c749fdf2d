"""Other dtypes for tensors that may have any: integers for an index, bool for a mask, as an operator's error says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import torch

from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.inputs.specification import InputSpecification
from shapecheck.harness.search.attempt import Attempt

_WANTED = (
    (re.compile(r"scalar types?:? (be )?Long|as indices must be long|LongTensor|[Ii]nt64|index.* int"), torch.int64),
    (re.compile(r"only implemented on integer and Boolean|only integer .* indices"), torch.int64),
    (re.compile(r"boolean masks|mask.* to be .*[Bb]ool|dtype torch.bool"), torch.bool),
)
"""What operators say about an index and about a mask, the first that applies."""


def other_dtypes(tried: Attempt, specification: InputSpecification) -> Iterator[InputPlan]:
    """The plan of an attempt with another dtype for one tensor, if its error asks for that."""
    text = str(tried.error)
    wanted = next((dtype for rule, dtype in _WANTED if rule.search(text)), None)
    if wanted is None:
        return
    for place, hint in specification.arrays(tried.plan.absent):
        is_free = place not in tried.plan.dtypes and hint.dtypes.allow(torch.float32) and hint.dtypes.allow(wanted)
        if is_free:
            yield replace(tried.plan, dtypes={**tried.plan.dtypes, place: wanted})
