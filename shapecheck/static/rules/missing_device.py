"""A tensor that forward creates on the default device, while the module's weights or its input may be on another.

The device is recorded in `TensorSpec.device`, which operators pass on to views and results: a `_DefaultDevice` for what
forward creates without `device=`, a `_ModuleDevice` for what is computed from the module's weights.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Final

from shapecheck.ops import Trait
from shapecheck.spec import DeviceMark, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import Instance, ListValue
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.hooks import AbstractCall, after, before
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._owners import forward_frame, has_weights, report_at

_CODE: Final = "missing-device"


@dataclass(frozen=True, slots=True)
class _DefaultDevice(DeviceMark):
    """The default device of a tensor, and where the tensor was created; marks of the same line are equal."""

    line: int
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class _ModuleDevice(DeviceMark):
    """The device of the module's weights."""


_MODULE = _ModuleDevice()


@after(_CODE, Trait.NEW_ON_DEFAULT_DEVICE)
def made(call: AbstractCall, result: Value) -> Value:
    """Marks tensors that the forward of a module with weights creates without `device=`; scalars may be on any."""
    if not isinstance(result, TensorSpec) or not _may_have_axes(result) or {"device", "out"} & call.kwargs.keys():
        return result
    if not _of_weighed_module(forward_frame(call.run)):
        return result
    place = Place(call.run.loaded, call.node)
    return _on(result, _DefaultDevice(getattr(call.node, "lineno", 0), place))


@after(_CODE, "Parameter")
def parameter(call: AbstractCall, result: Value) -> Value:
    """A parameter moves with its module."""
    return _on(result, _MODULE) if isinstance(result, TensorSpec) else result


@after(_CODE, Trait.HAS_WEIGHTS)
def weighed(call: AbstractCall, result: Value) -> Value:
    """The result of a layer is on the device of its weights."""
    return _on(result, _MODULE) if isinstance(result, TensorSpec) and forward_frame(call.run) else result


@after(_CODE, "to", "cuda", "cpu", "type_as", "type")
def moved(call: AbstractCall, result: Value) -> Value:
    """The result of a move is on an unknown device."""
    return _on(result, None) if isinstance(result, TensorSpec) else result


@after(_CODE, Trait.ONE_DEVICE)
def combined(call: AbstractCall, result: Value) -> Value:
    """The result of operands with different marks is on an unknown device."""
    if not isinstance(result, TensorSpec) or result.device is None:
        return result
    return _on(result, None) if any(one.device != result.device for one in _tensors(call)) else result


@before(_CODE, Trait.ONE_DEVICE)
def meets(call: AbstractCall) -> None:
    """Reports a created tensor combined with a weight, a result computed from one, or an argument of forward."""
    tensors = [one for one in _tensors(call) if one.shape.least_rank]
    mark = next((one.device for one in tensors if isinstance(one.device, _DefaultDevice)), None)
    if mark is not None and any(_on_module(call.run, one) for one in tensors):
        _report(call, mark)


@before(_CODE, Trait.HAS_WEIGHTS)
def enters(call: AbstractCall) -> None:
    """Reports a created tensor that is passed to a layer with weights."""
    for one in _tensors(call):
        if isinstance(one.device, _DefaultDevice):
            _report(call, one.device)


def _of_weighed_module(frame: Frame | None) -> bool:
    """Whether a frame runs the forward of a module with weights."""
    receiver = None if frame is None else next(iter(frame.names.fields.values()), None)
    if not isinstance(receiver, Instance):
        return False
    parameters = (isinstance(one, TensorSpec) and one.device is _MODULE for one in receiver.fields.values())
    return any(parameters) or has_weights(receiver)


def _report(call: AbstractCall, mark: _DefaultDevice) -> None:
    message = f"CPU tensor combined with a tensor on the model's device in {call.name}; pass device=x.device"
    report_at(call.run, mark.place, call.node, _CODE, message)


def _tensors(call: AbstractCall) -> list[TensorSpec]:
    found: list[TensorSpec] = []
    for one in (*call.args, *call.kwargs.values()) if call.kwargs else call.args:
        if isinstance(one, TensorSpec):
            found.append(one)
        elif isinstance(one, ListValue) or type(one) is tuple:
            found += [part for part in items_of(one) or () if isinstance(part, TensorSpec)]
    return found


def _on_module(run: Run, value: TensorSpec) -> bool:
    return isinstance(value.device, _ModuleDevice) or (value.device is None and _is_argument(run, value))


def _is_argument(run: Run, value: TensorSpec) -> bool:
    frame = forward_frame(run)
    if frame is None or not isinstance(frame.function, ast.FunctionDef):
        return False
    return any(frame.names.fields.get(one.arg) is value for one in frame.function.args.args[1:])


def _may_have_axes(value: TensorSpec) -> bool:
    return value.shape.least_rank > 0 or value.rank is None


def _on(value: TensorSpec, device: DeviceMark | None) -> TensorSpec:
    if value.device is device:
        return value
    return TensorSpec.make(value.shape, value.dtype, value.layout, device, value.strides)
