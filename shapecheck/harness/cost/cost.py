"""`cost_of`: what one run of a model costs, as a record."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, TypeVar

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensor

from shapecheck.harness.cost.alignment import misaligned
from shapecheck.harness.cost.devices import known_device
from shapecheck.harness.cost.memory import Activations, resident_memory, training_memory
from shapecheck.harness.cost.timing import peak_bytes_of, seconds_of
from shapecheck.harness.cost.tokens import expected_flops
from shapecheck.harness.probe import Probe
from shapecheck.harness.results import Cost
from shapecheck.harness.tensors import flat

_T = TypeVar("_T")


class Training(NamedTuple):
    """What a forward saves for backward, in bytes by dtype, and the operations of backward.

    backward_flops: None if nothing requires a gradient.
    """

    activations: dict[str, int]
    backward_flops: int | None


def cost_of(
    model: nn.Module, call: Callable[[], Any], device: torch.device, probe: Probe, backward: bool | Training
) -> Cost:
    """The cost of one forward, and with `backward` of its gradients; that is what a run has shown of them, or True.

    probe: one that has observed a single forward. call: runs that forward again, with the same inputs. It is called
    for what is saved for backward (with gradients) if `backward` is True, and on a real device for time and peak
    memory (without). The model's own gradients stay as they are; running statistics change as in any forward. What
    cannot be found is None or missing, and raises nothing.
    """
    records = probe.modules()
    memory = _or_none(lambda: resident_memory(model)) or {}
    backward_flops = None
    if backward:
        memory.update(_or_none(lambda: training_memory(model)) or {})
        found = backward if isinstance(backward, Training) else _or_none(lambda: in_training(model, call))
        if found is not None:
            memory["activations"], backward_flops = found
    is_real = not _is_fake(model)
    seconds = _or_none(lambda: seconds_of(call, device)) if is_real else None
    at_best = _or_none(lambda: _peak(device, probe.dtype or _widest(model)))
    intensity = probe.flops / probe.moved_bytes if probe.moved_bytes else 0.0
    device_intensity = at_best[0] / at_best[1] if at_best else None
    return Cost(
        flops=probe.flops,
        moved_bytes=probe.moved_bytes,
        intensity=intensity,
        device_intensity=device_intensity,
        bound=_bound(intensity, device_intensity),
        expected_flops=_or_none(lambda: expected_flops(model, records)),
        backward_flops=backward_flops,
        seconds=seconds,
        mfu=probe.flops / seconds / at_best[0] if seconds and at_best else None,
        memory=memory,
        peak_bytes=_or_none(lambda: peak_bytes_of(call, device)) if is_real else None,
        misaligned=_or_none(lambda: misaligned(model, records, probe.dtype)) or (),
    )


def _or_none(find: Callable[[], _T]) -> _T | None:
    """A part of the cost, or None if it cannot be determined for the model or the device."""
    try:
        return find()
    except Exception:
        return None


def _bound(intensity: float, device_intensity: float | None) -> str:
    """A model with fewer operations per byte than the device can do in the time of a byte is limited by memory."""
    if device_intensity is None:
        return ""
    return "math" if intensity > device_intensity else "memory"


def _peak(device: torch.device, dtype: torch.dtype) -> tuple[float, float] | None:
    """Peak operations and bytes per second; None if one is unknown."""
    known = known_device(device)
    operations = known.operations(dtype) if known is not None else None
    return (operations, known.bandwidth) if known is not None and operations is not None else None


def _widest(model: nn.Module) -> torch.dtype:
    """The dtype of the largest parameter, for a model without products."""
    largest = max(model.parameters(), key=lambda one: one.nbytes, default=None)
    return torch.float32 if largest is None else largest.dtype


def in_training(
    model: nn.Module, call: Callable[[], Any], watch: AbstractContextManager[object] | None = None
) -> Training:
    """Runs forward and backward. watch: a context of the forward. Raises if what it saves cannot be watched."""
    activations = Activations(model)
    with torch.enable_grad():
        with watch or nullcontext(), activations.watched():
            output = call()
        ends = [one for one in flat(output) if one.requires_grad]
        starts = [one for one in model.parameters() if one.requires_grad]
        saved = activations.by_dtype()
        if not ends or not starts:
            return Training(saved, None)
        with Probe(model) as probe:
            torch.autograd.grad(ends, starts, [torch.ones_like(one) for one in ends], allow_unused=True)
    return Training(saved, probe.backward_flops)


def _is_fake(model: nn.Module) -> bool:
    """Whether the model has no elements, so that the time of a call is negligible."""
    return any(isinstance(one, FakeTensor) or one.is_meta for one in model.parameters())
