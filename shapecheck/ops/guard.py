"""Calls a rule so that any arguments lead to a clear answer, and never to a traceback from inside."""

from __future__ import annotations

from inspect import BoundArguments, Parameter
from typing import Any

from shapecheck.ops.registry import Entry
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, ShapeError, TensorSpec, Unanswered

_LONGEST = 2_000  # characters of a message
_NO_TENSOR = (bool, int, float, complex, str, bytes, list, tuple, dict)


def answer(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The rule's answer, or Unknown; raises ShapeError, with the operator's name, where torch refuses the call."""
    try:
        return call(entry, args, kwargs)
    except ShapeError as refused:
        refused.args = (_clipped(f"{entry.name}: {refused}"),)
        raise
    except Unanswered as why:
        return Unknown(_clipped(f"{entry.name}: {why}"))
    except Exception as inside:
        # Arguments of a kind that no rule expects: say so if it is visible, otherwise silence beats a false alarm.
        _refuse_arguments(entry, args, kwargs)
        return Unknown(f"{entry.name}: {type(inside).__name__}: {inside}")


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} <{len(text) - _LONGEST} more characters>"


def call(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The bare call: `out=` only says where the result goes, and an unknown argument may be any tensor."""
    if "out" in kwargs:
        kwargs = {name: value for name, value in kwargs.items() if name != "out"}
    if "axis" in kwargs or "keepdims" in kwargs:
        kwargs = _in_torch_words(entry, kwargs)
    if type(kwargs.get("dtype")) is Unknown and isinstance(entry.function, type):
        known = {name: value for name, value in kwargs.items() if name != "dtype"}
        return call(entry, args, known).cast(None)
    for value in (*args, *kwargs.values()) if kwargs else args:
        if type(value) is Unknown:
            return _call_unknown(entry, args, kwargs)
    return entry.function(*args, **kwargs)


_NUMPY_WORDS = {"axis": "dim", "keepdims": "keepdim"}


def _in_torch_words(entry: Entry, kwargs: dict[str, Any]) -> dict[str, Any]:
    """`axis=` and `keepdims=`, which torch takes for `dim=` and `keepdim=`, under torch's names."""
    words = {numpy: ours for numpy, ours in _NUMPY_WORDS.items() if ours in entry.signature.parameters}
    return {words.get(name, name): value for name, value in kwargs.items()}


_INDIFFERENT = {
    "affine": ("affine", "weight", "bias"),
    "bias": ("bias",),
    "dropout": ("dropout",),
    "elementwise_affine": ("elementwise_affine", "weight", "bias"),
    "eps": ("eps",),
    "inplace": ("inplace",),
    "momentum": ("momentum",),
    "p": ("p",),
    "track_running_stats": ("track_running_stats", "running_mean", "running_var", "num_batches_tracked"),
}
"""Parameters of layers that no shape hangs on, each with the attributes that do."""


def _call_unknown(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The call with what is known; a layer of which an attribute may be anything says so."""
    bound = _bind(entry, args, kwargs)
    is_layer = isinstance(entry.function, type)
    left_out = [name for name, value in bound.arguments.items() if type(value) is Unknown and name in _INDIFFERENT]
    for name in left_out if is_layer else ():
        del bound.arguments[name]
    _fill(entry, bound)
    made = entry.function(*bound.args, **bound.kwargs)
    if left_out and is_layer:
        made.open = tuple(field for name in left_out for field in _INDIFFERENT[name])
    return made


def _fill(entry: Entry, bound: BoundArguments) -> None:
    """Puts a tensor of which nothing is known for each unknown argument; Unanswered where a number is due."""
    for name, value in bound.arguments.items():
        if type(value) is not Unknown:
            continue
        annotation = str(entry.signature.parameters[name].annotation)
        if annotation == "object" or "Unknown" in annotation:  # the result does not hang on it, or the rule copes
            continue
        if "Tensor" not in annotation:
            raise Unanswered(f"{name} is unknown")
        bound.arguments[name] = TensorSpec.anything()


def _bind(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> BoundArguments:
    try:
        return entry.signature.bind(*args, **kwargs)
    except TypeError as wrong:
        raise CallError(f"{wrong}; the parameters are ({_parameters(entry)})") from None


def _parameters(entry: Entry) -> str:
    return ", ".join(str(p.replace(annotation=Parameter.empty)) for p in entry.signature.parameters.values())


def _refuse_arguments(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    kwargs = _in_torch_words(entry, kwargs)
    try:
        bound = _bind(entry, args, {name: value for name, value in kwargs.items() if name != "out"})
    except CallError as wrong:
        wrong.args = (f"{entry.name}: {wrong}",)
        raise
    for name, value in bound.arguments.items():
        if entry.signature.parameters[name].annotation == "Tensor" and isinstance(value, _NO_TENSOR):
            raise CallError(f"{entry.name}: {name} must be a tensor, here it is {str(value)[:60]!r}")
