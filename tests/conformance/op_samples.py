"""op_db: every operator with its sample inputs and its error inputs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_utils import set_rng_seed
from torch.testing._internal.opinfo.core import OpInfo

from shapecheck.ops import find
from tests.conformance.oracle import Verdict, judge

METHODS = {"where": "Tensor.where", "polygamma": "Tensor.polygamma", "special.polygamma": "Tensor.polygamma"}
"""Entries whose function takes its arguments in the order of the method."""

_TABLE_FIRST = frozenset(("nn.functional.embedding", "nn.functional.embedding_bag"))
_LOW_RANK = frozenset((("svd_lowrank", ""), ("pca_lowrank", ""), ("linalg.pinv", "singular")))
"""Entries that multiply their two arguments and give the product to the function."""


class Sample(NamedTuple):
    """One call: the operator's name, the function and its arguments."""

    name: str
    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Judged(NamedTuple):
    """One call and what came of it."""

    name: str
    family: str
    verdict: Verdict


def operators(only: frozenset[str] = frozenset()) -> list[OpInfo]:
    return [op for op in op_db if not only or op.name in only]


def first_dtype(op: OpInfo) -> torch.dtype | None:
    """float32, or the first dtype the operator supports on cpu."""
    dtypes = op.supported_dtypes("cpu")
    if torch.float32 in dtypes:
        return torch.float32
    return min(dtypes, key=str) if dtypes else None


def supports(op: OpInfo, dtype: torch.dtype) -> bool:
    return dtype in op.supported_dtypes("cpu")


def samples(op: OpInfo, dtype: torch.dtype | None = None) -> Iterator[Sample]:
    dtype = first_dtype(op) if dtype is None else dtype
    if dtype is None:
        return
    set_rng_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # `op.sample_inputs` would read the source of the whole stack, to name the test, and seed before each sample.
        for sample in op.sample_inputs_func(op, "cpu", dtype, False):
            yield Sample(METHODS.get(op.name, op.name), *function_and_args(op, sample), sample.kwargs)


def function_and_args(op: OpInfo, sample: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a sample calls: where op_db wraps the function and swaps its arguments, the function itself."""
    args = (sample.input, *sample.args)
    if op.name in _TABLE_FIRST:
        return getattr(torch.nn.functional, op.name.rpartition(".")[2]), (args[1], args[0], *args[2:])
    if op.name == "einsum":
        return torch.einsum, (args[1], *args[0])
    if (op.name, op.variant_test_name) in _LOW_RANK:
        return getattr(torch, op.name, torch.linalg.pinv), (args[0] @ args[1].mT, *args[2:])
    if (op.name, op.variant_test_name) == ("linalg.lstsq", "grad_oriented"):
        return torch.linalg.lstsq, args[:2]
    return op.op, args


def judged(op: OpInfo, every: int = 1, dtype: torch.dtype | None = None) -> Iterator[Judged]:
    """The verdicts on an operator's samples, or on each `every`th of them."""
    entry = find(op.name)
    family = entry.family if entry else "-"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for index, sample in enumerate(samples(op, dtype)):
            if index % every:
                continue
            verdict = judge(sample.name, sample.function, sample.args, sample.kwargs)
            if verdict is not None:
                yield Judged(op.name, family, verdict)
