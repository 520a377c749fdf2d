"""The same calls with less known: what a rule then says must still hold, and nothing valid is refused.

names: every size above 1 is a free name, equal sizes have one name.
apart: every axis has a name of its own.
unknown: every size is one that nobody knows; 0 stays, as what only an empty tensor allows may be refused.
last: only the last axis and the dtype of a tensor are known; nothing: only its dtype. 0-dim and empty ones stay.
dtype: all but the dtypes; layout: all but the layouts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from torch.testing._internal.opinfo.core import OpInfo

from shapecheck.ops import Unknown, find
from shapecheck.ops.guard import call
from shapecheck.ops.registry import Entry
from shapecheck.spec import (
    Dim,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    VariadicAxes,
    axis,
    same,
    substitute,
    unknown,
)
from tests.conformance.op_samples import Judged, samples
from tests.conformance.oracle import Verdict, false_layout, show
from tests.conformance.specs import spec_of

Numbers = dict[Dim, int]
"""What the names stand for in the real call."""


def _names(spec: TensorSpec, numbers: Numbers) -> TensorSpec:
    return _resized(spec, numbers, lambda size, _: axis(f"s{size}", scope=""))


def _apart(spec: TensorSpec, numbers: Numbers) -> TensorSpec:
    return _resized(spec, numbers, lambda _, count: axis(f"a{count}", scope=""))


def _unknown(spec: TensorSpec, numbers: Numbers) -> TensorSpec:
    return _resized(spec, numbers, lambda _, __: unknown(low=0), least=1)


def _resized(spec: TensorSpec, numbers: Numbers, name: Callable[[int, int], Dim], least: int = 2) -> TensorSpec:
    dims: list[Size] = []
    for size in spec.dims:
        if isinstance(size, int) and size >= least:
            dims.append(name(size, len(numbers)))
            numbers[dims[-1]] = size  # type: ignore[index]  # it is a Dim
        else:
            dims.append(size)
    layout = spec.layout if spec.layout == "contiguous" else "unknown"
    return TensorSpec.make(Shape(tuple(dims)), spec.dtype, layout, spec.device)


def _is_special(spec: TensorSpec) -> bool:
    # Torch lets a 0-dim tensor count as one axis where a dim is given, and an empty one be what no other may be; of a
    # tensor of unknown rank neither is assumed.
    return spec.rank == 0 or 0 in spec.dims


def _last(spec: TensorSpec, _: Numbers) -> TensorSpec:
    if _is_special(spec):
        return spec
    return TensorSpec.make(Shape((), VariadicAxes(), spec.dims[-1:]), spec.dtype)


def _nothing(spec: TensorSpec, _: Numbers) -> TensorSpec:
    return spec if _is_special(spec) else TensorSpec.anything(spec.dtype)


def _dtype(spec: TensorSpec, _: Numbers) -> TensorSpec:
    return spec.with_dtype(None)


def _layout(spec: TensorSpec, _: Numbers) -> TensorSpec:
    return TensorSpec.make(spec.shape, spec.dtype)


FORGOTTEN: dict[str, Callable[[TensorSpec, Numbers], TensorSpec]] = {
    "names": _names,
    "apart": _apart,
    "unknown": _unknown,
    "last": _last,
    "nothing": _nothing,
    "dtype": _dtype,
    "layout": _layout,
}


class Recorded(NamedTuple):
    """A call as specs, and what torch gave for it."""

    name: str
    entry: Entry
    given: Any
    real: Any


def recorded(op: OpInfo, every: int = 1) -> Iterator[Recorded]:
    """An operator's samples, or each `every`th of them, that torch answers."""
    for index, sample in enumerate(samples(op)):
        entry = find(sample.name)
        if index % every or entry is None:
            continue
        given = spec_of((sample.args, sample.kwargs))
        with contextlib.suppress(Exception):
            yield Recorded(op.name, entry, given, sample.function(*sample.args, **sample.kwargs))


def forgetful(call_: Recorded, mode: str) -> Judged:
    """The verdict on a call with what `mode` names forgotten: sound, vague, wrong, flagged or crash."""
    numbers: Numbers = {}
    args, kwargs = _mapped(call_.given, FORGOTTEN[mode], numbers)
    try:
        ours = call(call_.entry, args, kwargs)
    except ShapeError as refusal:
        verdict = Verdict("flagged", f"{refusal} | {show((args, kwargs))}")
    except Unanswered as why:
        verdict = Verdict("vague", str(why))
    except Exception as crash:
        verdict = Verdict("crash", f"{type(crash).__name__}: {crash} | {show((args, kwargs))}")
    else:
        wrong = contradiction(ours, call_.real, numbers)
        told = "vague" if isinstance(ours, Unknown) else "sound"
        verdict = Verdict("wrong" if wrong else told, wrong and f"{wrong} | {show((args, kwargs))}")
    return Judged(call_.name, call_.entry.family, verdict)


def _mapped(value: Any, change: Callable[[TensorSpec, Numbers], TensorSpec], numbers: Numbers) -> Any:
    if isinstance(value, TensorSpec):
        return change(value, numbers)
    if isinstance(value, (tuple, list)):
        return type(value)(_mapped(one, change, numbers) for one in value)
    if isinstance(value, dict):
        return {name: _mapped(one, change, numbers) for name, one in value.items()}
    return value


def contradiction(ours: Any, real: Any, numbers: Numbers) -> str:
    """What the answer says that is not so of the real result; empty where all of it holds."""
    if isinstance(ours, Unknown):
        return ""
    if isinstance(real, (tuple, list)):
        if not isinstance(ours, (tuple, list)) or len(ours) != len(real):
            return f"{ours!r:.100} for {len(real)} results"
        return next(filter(None, (contradiction(a, b, numbers) for a, b in zip(ours, real, strict=True))), "")
    if isinstance(real, torch.Tensor):
        return _of_tensor(ours, real, numbers)
    if isinstance(ours, (int, Dim)) and type(real) is int:
        return "" if _may_be(ours, real, numbers) else f"{ours} for {real}"
    return ""


def _of_tensor(ours: Any, real: torch.Tensor, numbers: Numbers) -> str:
    shown = f"{ours} for {tuple(real.shape)} {real.dtype}"
    if not isinstance(ours, TensorSpec):
        return shown
    if ours.dtype is not None and str(ours.dtype) != str(real.dtype):
        return shown
    shape, due = ours.shape, tuple(real.shape)
    if shape.least_rank > len(due) or (shape.run is None and shape.rank != len(due)):
        return shown
    pairs = [*zip(shape.head, due, strict=False), *zip(reversed(shape.tail), reversed(due), strict=False)]
    if not all(_may_be(size, number, numbers) for size, number in pairs):
        return shown
    # A stride of a name is not compared; whether it is contiguous is.
    return false_layout(TensorSpec.make(Shape(due), ours.dtype, ours.layout), real)


def _may_be(size: Size, number: int, numbers: Numbers) -> bool:
    """Whether the size, with numbers for the names of the call, is this number or may be."""
    try:
        return same(substitute(size, numbers), number) is not False
    except ShapeError:
        return True
