"""Calls a rule so that any arguments lead to a result or a clear error, never to an internal traceback."""

from __future__ import annotations

from inspect import BoundArguments
from typing import Any

from shapecheck.ops.forms import FORMS, written_into
from shapecheck.ops.keywords import in_own_words
from shapecheck.ops.registry import Entry
from shapecheck.ops.torch_objects import converted
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Dim, ShapeError, SignatureError, TensorSpec, Unanswered, unknown
from shapecheck.spec.call_wording import refusal
from shapecheck.spec.presentation import clipped, value_text

_LONGEST = 600  # characters of a message
_NO_TENSOR = (bool, int, float, complex, str, bytes, list, tuple, dict)


def answer(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The rule's result, or Unknown; raises ShapeError, with the operator's name, if torch refuses the call."""
    args, kwargs = converted(args, kwargs)
    try:
        return call(entry, args, kwargs)
    except ShapeError as refused:
        refused.args = (clipped(f"{entry.name}: {refused}", _LONGEST),)
        raise
    except Unanswered as why:
        return Unknown(clipped(f"{entry.name}: {why}", _LONGEST))
    except Exception as inside:
        # Arguments of a kind that no rule expects: reported if that is certain, otherwise the result is unknown.
        _refuse_arguments(entry, args, kwargs)
        return Unknown(f"{entry.name}: {type(inside).__name__}: {inside}")


def call(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The call itself; an unknown argument may be any tensor."""
    if "out" in kwargs:
        others = {name: value for name, value in kwargs.items() if name != "out"}
        return written_into(call(entry, args, others), kwargs["out"])
    if entry.name in FORMS:
        args, kwargs = FORMS[entry.name](args, kwargs)
    if kwargs:
        kwargs = in_own_words(entry, kwargs)
    if type(kwargs.get("dtype")) is Dim:  # an argument that is annotated as an int
        kwargs = {**kwargs, "dtype": Unknown("an unknown dtype")}
    if type(kwargs.get("dtype")) is Unknown and isinstance(entry.function, type):
        known = {name: value for name, value in kwargs.items() if name != "dtype"}
        return call(entry, args, known).cast(None)
    for value in (*args, *kwargs.values()) if kwargs else args:
        if type(value) is Unknown:
            return _call_unknown(entry, args, kwargs)
    return entry.function(*args, **kwargs)


_INDIFFERENT = {
    **{
        name: (name,)
        for name in """
            activation alpha approximate lambd layer_norm_eps lower max_norm max_val min_val negative_slope norm_first
            norm_type padding_idx scale_grad_by_freq sparse upper
        """.split()
    },
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
"""Parameters of layers that no shape depends on, each with the attributes that depend on it."""

_TENSOR = frozenset(("Tensor", "TensorSpec"))


def _call_unknown(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The call with the known arguments; a layer lists its attributes that may have any value."""
    bound = _bind(entry, args, kwargs)
    is_layer = isinstance(entry.function, type)
    left_out = [name for name, value in bound.arguments.items() if type(value) is Unknown and name in _INDIFFERENT]
    for name in left_out if is_layer else ():
        del bound.arguments[name]
    if is_layer:
        _fill_sizes(entry, bound)
    _fill(entry, bound)
    made = entry.function(*bound.args, **bound.kwargs)
    if left_out and is_layer:
        made.open = tuple(field for name in left_out for field in _INDIFFERENT[name])
    return made


def _fill_sizes(entry: Entry, bound: BoundArguments) -> None:
    """Replaces each unknown size by an unknown number."""
    for name, value in bound.arguments.items():
        if type(value) is Unknown and entry.signature.parameters[name].annotation == "Size":
            bound.arguments[name] = unknown(low=1)


def _fill(entry: Entry, bound: BoundArguments) -> None:
    """Replaces each unknown argument by a tensor of unknown shape; Unanswered if something else is expected."""
    for name, value in bound.arguments.items():
        if type(value) is not Unknown:
            continue
        annotation = str(entry.signature.parameters[name].annotation)
        if annotation == "object" or "Unknown" in annotation:  # the rule ignores or accepts it
            continue
        if _TENSOR.isdisjoint(annotation.split(" | ")):
            raise Unanswered(f"{name} is unknown")
        bound.arguments[name] = TensorSpec.anything()


def _bind(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> BoundArguments:
    try:
        return entry.signature.bind(*args, **kwargs)
    except TypeError:
        raise SignatureError(refusal(entry.signature, len(args), kwargs)) from None


def _refuse_arguments(entry: Entry, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    kwargs = in_own_words(entry, kwargs)
    try:
        bound = _bind(entry, args, {name: value for name, value in kwargs.items() if name != "out"})
    except CallError as wrong:
        wrong.args = (f"{entry.name}: {wrong}",)
        raise
    for name, value in bound.arguments.items():
        if entry.signature.parameters[name].annotation == "Tensor" and isinstance(value, _NO_TENSOR):
            raise CallError(f"{entry.name}: expected {name} to be a tensor, got {value_text(value)}")
