"""op_db's error inputs: calls that torch refuses, and whether infer refuses them for the same cause."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from torch.testing._internal.opinfo.core import OpInfo

from shapecheck.ops import Unknown, find, infer
from shapecheck.ops.guard import call
from shapecheck.spec import ShapeError, Unanswered
from tests.conformance.op_samples import function_and_args
from tests.conformance.oracle import refused_by_torch, show
from tests.conformance.specs import spec_of

# Causes that no shape, dim, dtype or number among the arguments shows: memory, devices, values in tensors, builds.
_INVISIBLE = re.compile(
    r"memory location|Jiterator|probabilit|distribution|same device|same devices|on cuda|device type|generator"
    r"|sparse_coo|sparse|singular|positive.definite|requires? grad|elements in a tensor|values? must be monoton"
    r"|Class values|memory_format|resize|bins? edges|out of bounds for dimension \d+ with size|tensor subclass",
    re.IGNORECASE,
)
_SHOWS_ITS_INDEX = frozenset(("select", "select_scatter", "__getitem__"))

_CAUSES = {
    "axis": r"out of range|no dimensions|dim \d|dimension \d|dim -|axis",
    "twice": r"multiple times|identical|twice|repeated|unique|same dimension|duplicate",
    "broadcast": r"must match the size|broadcast|expand|singleton|non-singleton",
    "rank": r"dimensional|dims?\b|\dD\b|\d-?d\b|rank|vector|matrix|matrices|number of dimensions|non-empty|scalar",
    "size": r"size|shape|length|elements|channels?|same number|equal|square|\bto be \d|numel",
    "dtype": r"dtype|types?\b|float|long|complex|integral|integer|bool|double|half|real",
    "kind": r"argument|must be tensors?|combination|positional|expects?|doesn't apply|no attribute|must be an? ",
    "number": r"negative|positive|greater|at least|at most|less|zero|larger|between|[<>]=?|bigger|range|inconsistent",
    "choice": r"reduction|valid value|not supported|only supports?|unsupported|one of|mode|must be either|only one|ord",
    "empty": r"non-empty|at least one|empty|no elements",
    "divisible": r"divisible|multiple of|groups",
}


class Refusal(NamedTuple):
    """outcome: refused, other-cause, accepted, unknown, crash, or invisible."""

    name: str
    family: str
    outcome: str
    torch_says: str
    we_say: str


def causes(message: str) -> set[str]:
    return {cause for cause, pattern in _CAUSES.items() if re.search(pattern, message, re.IGNORECASE)}


def refusals(op: OpInfo) -> Iterator[Refusal]:
    if op.error_inputs_func is None:
        return
    entry = find(op.name)
    family = entry.family if entry else "-"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for error in op.error_inputs_func(op, "cpu"):  # not `op.error_inputs`, as for samples
            sample = error.sample_input
            function, args = function_and_args(op, sample)
            given = spec_of((args, sample.kwargs))
            refusal = refused_by_torch(function, args, sample.kwargs)
            if refusal is None:
                continue
            says = f"{type(refusal).__name__}: {refusal}".splitlines()[0]
            yield Refusal(op.name, family, *outcome(op.name, says, given))


def outcome(name: str, says: str, given: tuple[tuple[object, ...], dict[str, object]]) -> tuple[str, str, str]:
    if _INVISIBLE.search(says) and not (name in _SHOWS_ITS_INDEX and "out of bounds" in says):
        return "invisible", says, ""
    entry = find(name)
    if entry is None:
        return "unknown", says, "no rule"
    try:
        ours = call(entry, *given)
    except ShapeError as refusal:
        same = causes(says) & causes(f"{type(refusal).__name__} {refusal}")
        return ("refused" if same else "other-cause"), says, str(refusal)
    except Unanswered as why:
        return "unknown", says, str(why)
    except (TypeError, AttributeError) as inside:
        return refused_kind(entry.name, says, given, inside)
    except Exception as crash:
        return "crash", says, f"{type(crash).__name__}: {crash} | {show(given)}"
    return ("unknown" if isinstance(ours, Unknown) else "accepted"), says, f"{ours!r:.100} | {show(given)}"


def refused_kind(
    name: str, says: str, given: tuple[tuple[object, ...], dict[str, object]], inside: Exception
) -> tuple[str, str, str]:
    """An argument of the wrong kind surfaces inside the rule; `infer` must turn it into a clear refusal."""
    try:
        infer(name, *given[0], **given[1])
    except ShapeError as refusal:
        return "refused", says, str(refusal)
    return "crash", says, f"{type(inside).__name__}: {inside} | {show(given)}"
