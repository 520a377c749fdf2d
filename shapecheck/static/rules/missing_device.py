"""A tensor that forward makes on the default device, where the module's weights or its input may lie on another.

Where a tensor lies is kept in the spec's own field `device`, which goes with it through views and arithmetic: `_Made`
for what forward makes without `device`, `_OnModule` for what the module's weights have gone into.
"""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.ops import Trait, Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.values import Instance, ListValue, Value
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.hooks import OperatorCall, after, before
from shapecheck.static.engine.iteration import items_of
from shapecheck.static.engine.places import Place
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._owners import forward_frame, has_weights, report_at

_CODE: Final = "missing-device"


class _Made(str):
    """The default device, and where a tensor was made on it."""

    place: Place


class _OnModule(str):
    """The device of the module's weights."""

    __slots__ = ()


_MODULE = _OnModule("the module's")


@after(_CODE, Trait.NEW_ON_DEFAULT_DEVICE)
def made(call: OperatorCall, result: Value) -> Value:
    """Marks what the forward of a module with weights makes without saying where; of a scalar it does not matter."""
    if not isinstance(result, TensorSpec) or not _may_have_axes(result) or {"device", "out"} & call.kwargs.keys():
        return result
    if not _of_weighed_module(forward_frame(call.run)):
        return result
    place = Place(call.run.loaded, call.node)
    device = _Made(f"the default, line {getattr(call.node, 'lineno', 0)}")
    device.place = place
    return _on(result, device)


@after(_CODE, "Parameter")
def parameter(call: OperatorCall, result: Value) -> Value:
    """A parameter goes where the module goes."""
    return _on(result, _MODULE) if isinstance(result, TensorSpec) else result


@after(_CODE, Trait.HAS_WEIGHTS)
def weighed(call: OperatorCall, result: Value) -> Value:
    """What a layer with weights gives lies where they do."""
    return _on(result, _MODULE) if isinstance(result, TensorSpec) and forward_frame(call.run) else result


@after(_CODE, "to", "cuda", "cpu", "type_as", "type")
def moved(call: OperatorCall, result: Value) -> Value:
    """From here on nobody knows where it lies."""
    return _on(result, None) if isinstance(result, TensorSpec) else result


@after(_CODE, "device")
def asked(call: OperatorCall, result: Value) -> Value:
    """No mark is a device that a program could compare."""
    return Unknown("the device is not known") if isinstance(result, (_Made, _OnModule)) else result


@after(_CODE, Trait.ONE_DEVICE)
def combined(call: OperatorCall, result: Value) -> Value:
    """What came of a marked tensor and of another lies nobody knows where."""
    if not isinstance(result, TensorSpec) or result.device is None:
        return result
    return _on(result, None) if any(one.device != result.device for one in _tensors(call)) else result


@before(_CODE, Trait.ONE_DEVICE)
def meets(call: OperatorCall) -> None:
    """Reports a marked tensor that meets a weight, what came of one, or an argument of forward."""
    tensors = [one for one in _tensors(call) if one.shape.least_rank]
    mark = next((one.device for one in tensors if isinstance(one.device, _Made)), None)
    if isinstance(mark, _Made) and any(_on_module(call.run, one) for one in tensors):
        _report(call, mark)


@before(_CODE, Trait.HAS_WEIGHTS)
def enters(call: OperatorCall) -> None:
    """Reports a marked tensor that is given to a layer with weights."""
    for one in _tensors(call):
        if isinstance(one.device, _Made):
            _report(call, one.device)


def _of_weighed_module(frame: Frame | None) -> bool:
    """Whether a forward is that of a module with weights, which are what lies on a device."""
    receiver = None if frame is None else next(iter(frame.names.fields.values()), None)
    if not isinstance(receiver, Instance):
        return False
    parameters = (isinstance(one, TensorSpec) and one.device is _MODULE for one in receiver.fields.values())
    return any(parameters) or has_weights(receiver)


def _report(call: OperatorCall, mark: _Made) -> None:
    message = (
        "forward makes this tensor without device=, so it stays on the CPU when the module moves, and "
        f"{call.name} needs it where the input is; write device=x.device, x being the input"
    )
    report_at(call.run, mark.place, call.node, _CODE, message)


def _tensors(call: OperatorCall) -> list[TensorSpec]:
    found: list[TensorSpec] = []
    for one in (*call.args, *call.kwargs.values()) if call.kwargs else call.args:
        if isinstance(one, TensorSpec):
            found.append(one)
        elif isinstance(one, ListValue) or type(one) is tuple:
            found += [part for part in items_of(one) or () if isinstance(part, TensorSpec)]
    return found


def _on_module(run: Run, value: TensorSpec) -> bool:
    return isinstance(value.device, _OnModule) or (value.device is None and _is_argument(run, value))


def _is_argument(run: Run, value: TensorSpec) -> bool:
    frame = forward_frame(run)
    if frame is None or not isinstance(frame.function, ast.FunctionDef):
        return False
    return any(frame.names.fields.get(one.arg) is value for one in frame.function.args.args[1:])


def _may_have_axes(value: TensorSpec) -> bool:
    return value.shape.least_rank > 0 or value.rank is None


def _on(value: TensorSpec, device: str | None) -> TensorSpec:
    if value.device is device:
        return value
    return TensorSpec.make(value.shape, value.dtype, value.layout, device, value.strides)
