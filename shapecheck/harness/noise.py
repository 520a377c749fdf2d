"""The rounding errors of a model: how far its results are from those of a copy in float64."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from shapecheck.harness.inputs.tensor_map import map_tensors
from shapecheck.harness.inputs.values import Arguments, positional_arguments
from shapecheck.harness.subject import Subject
from shapecheck.harness.tensors import flat

_MARGIN = 32
"""The same sums in another order have rounding errors of this many times those of one run, at most."""
_LEAST = 1e-6
"""The share of the greatest result that always counts as rounding."""


def tolerance_by_float64(subject: Subject, given: Arguments, results: Sequence[Tensor]) -> tuple[float, float] | None:
    """The relative and absolute tolerance for the same sums in another order.

    given: arguments of a call, results: the tensors it returned. None if the model does not run in float64.
    """
    try:
        precise = flat(_in_float64(subject, given))
    except Exception:  # a cast to float32, or an annotation that requires it
        return None
    floats = [
        (one.detach(), other.detach())
        for one, other in zip(results, precise, strict=False)
        if one.dtype.is_floating_point and one.shape == other.shape
    ]
    if len(results) != len(precise) or not floats or any(other.dtype is not torch.float64 for _, other in floats):
        return None
    error = max(_greatest(one.double() - other) for one, other in floats)
    scale = max(_greatest(other) for _, other in floats)
    return _LEAST, _MARGIN * error + _LEAST * scale


def _in_float64(subject: Subject, given: Arguments) -> Any:
    subject.restore_buffers()
    with torch.no_grad():
        twin: nn.Module = copy.deepcopy(subject.model).double()
        wide = map_tensors(given.named, lambda _, one: one.double() if one.dtype.is_floating_point else one)
        other = Subject(subject.case, twin, subject.device, subject.seed, known=subject.known)
        return other.call(positional_arguments(subject.specification, wide))


def _greatest(values: Tensor) -> float:
    finite = values[values.isfinite()]
    return float(finite.abs().max()) if finite.numel() else 0.0
