"""Other forms of a call that torch accepts: sizes one by one, factors in front, and `out=`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapecheck.ops.unknown import Unknown
from shapecheck.spec import TensorSpec

Args = tuple[Any, ...]
Keywords = dict[str, Any]
Form = Callable[[Args, Keywords], tuple[Args, Keywords]]


def _one_by_one(args: Args, kwargs: Keywords) -> tuple[Args, Keywords]:
    """`x.squeeze(0, 1)`, as every method whose only argument is a list of ints accepts it."""
    return ((args[0], args[1:]) if len(args) > 2 else args), kwargs


def _factor_first(name: str, count: int) -> Form:
    """`x.add(2, y)` for `x.add(y, alpha=2)`, an old form that torch still accepts."""

    def form(args: Args, kwargs: Keywords) -> tuple[Args, Keywords]:
        if len(args) != count or type(args[1]) is TensorSpec:
            return args, kwargs
        return (args[0], *args[2:]), {name: args[1], **kwargs}

    return form


def _factors_between(args: Args, kwargs: Keywords) -> tuple[Args, Keywords]:
    """`x.addmm(beta, alpha, m, n)` for `x.addmm(m, n, beta=beta, alpha=alpha)`, an old form as well."""
    tensors = tuple(one for one in args if type(one) is TensorSpec)
    return (tensors if len(args) > 3 == len(tensors) and type(args[3]) is TensorSpec else args), kwargs


def _repeats_alone(args: Args, kwargs: Keywords) -> tuple[Args, Keywords]:
    """`repeat_interleave(repeats=counts)`, whose only tensor is the counts."""
    if args or "input" in kwargs or "repeats" not in kwargs:
        return args, kwargs
    others = {name: value for name, value in kwargs.items() if name != "repeats"}
    return (kwargs["repeats"],), others


_FORMS: dict[str, Form] = {
    "repeat_interleave": _repeats_alone,
    **dict.fromkeys("squeeze count_nonzero broadcast_to hsplit vsplit dsplit".split(), _one_by_one),
    **dict.fromkeys(("add", "sub"), _factor_first("alpha", 3)),
    **dict.fromkeys(("addcmul", "addcdiv"), _factor_first("value", 4)),
    **dict.fromkeys("addmm addmv addr addbmm baddbmm".split(), _factors_between),
}
FORMS = {spelling: form for name, form in _FORMS.items() for spelling in (name, f"{name}_")}
"""From an operator to the function that brings a call into the form of its rule."""


def written_into(result: Any, out: Any) -> Any:
    """The result of a call with `out=`: it has the dtype of `out`, whose shape torch adapts."""
    if isinstance(result, tuple) and isinstance(out, (tuple, list)) and len(result) == len(out):
        items = [written_into(one, into) for one, into in zip(result, out, strict=True)]
        names = getattr(result, "_fields", None)
        return tuple(items) if names is None else type(result)(**dict(zip(names, items, strict=True)))
    if out is None:
        return result
    if not isinstance(result, TensorSpec):
        return Unknown("a result that is written into an unknown one") if isinstance(result, tuple) else result
    if not isinstance(out, TensorSpec):
        return TensorSpec.make(result.shape, None)
    same_shape = out.shape == result.shape
    return TensorSpec.make(
        result.shape,
        out.dtype,
        out.layout if same_shape else "unknown",
        out.device,
        out.strides if same_shape else None,
    )
