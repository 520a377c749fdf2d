"""Operator observers: what one call of an operator copies, waits for, expands or promotes.

An observer returns a kind of event and its bytes, or None. Only operators that can cause events have one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor

Observation = tuple[str, int]
"""The kind and the bytes of an event."""
OperatorObserver = Callable[[tuple[Any, ...], "dict[str, Any] | None", Any, str], "Observation | None"]
"""Receives the arguments, the result and the kind of device that the model is on."""

LITERAL = "literal"
"""The kind of a tensor created from numbers of the program: reading it does not wait for the device."""


class ObserverPair(NamedTuple):
    """The observers before and after a call. Before, because reading a FakeTensor raises."""

    before: OperatorObserver | None = None
    after: OperatorObserver | None = None


def _clone(args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any, device: str) -> Observation | None:
    """A clone that changes the layout of the elements; one that keeps it was requested explicitly."""
    source = args[0]
    if source.numel() < 2 or source.stride() == result.stride():
        return None
    if source.is_contiguous() and result.is_contiguous():  # axes of size 1 may have any stride
        return None
    return "copy", result.nbytes


def _converted(args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any, device: str) -> Observation | None:
    """`.to(...)` that changes the tensor; between the host and a device it waits."""
    source = args[0]
    if _waits(source, result) and not (kwargs or {}).get("non_blocking", False):
        return "sync", result.nbytes
    return ("copy", result.nbytes) if source.numel() > 1 else None


def _copied(args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any, device: str) -> Observation | None:
    """`target.copy_(source)` is an explicit copy; between the host and a device it waits."""
    non_blocking = args[2] if len(args) > 2 else (kwargs or {}).get("non_blocking", False)
    return ("sync", args[0].nbytes) if _waits(args[1], args[0]) and not non_blocking else None


def _waits(source: Tensor, target: Tensor) -> bool:
    kinds = {source.device.type, target.device.type}
    return len(kinds) == 2 and "cpu" in kinds and "meta" not in kinds


def _read(args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any, device: str) -> Observation | None:
    """The host must read values before it continues."""
    source = args[0]
    return ("sync", source.nbytes) if source.device.type == device else None


def _masked(args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any, device: str) -> Observation | None:
    """An index that is a mask: its number of elements is only known after counting."""
    masks = [one for one in args[1] if isinstance(one, Tensor) and one.dtype in (torch.bool, torch.uint8)]
    if not masks or args[0].device.type != device or _fills(args):
        return None
    return "sync", sum(one.nbytes for one in masks)


def _fills(args: tuple[Any, ...]) -> bool:
    """`x[mask] = 1`: torch fills the masked elements without counting them."""
    return len(args) > 2 and isinstance(args[2], Tensor) and args[2].numel() == 1


def _arithmetic(args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any, device: str) -> Observation | None:
    """Sums, differences and quotients: floating tensors of different rank of which each expands, and promotions."""
    left, right = args[0], args[1]
    if not isinstance(right, Tensor) or (left.dim() == right.dim() and left.dtype is right.dtype):
        return None
    if left.dim() != right.dim() and left.dim() and right.dim() and result.is_floating_point():
        count = result.numel()
        if left.numel() != count and right.numel() != count:
            return "broadcast", result.nbytes
    return _promotion(args, kwargs, result, device)


def _promotion(args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any, device: str) -> Observation | None:
    """Floating-point operands of several dtypes, of which the narrower are converted; 0-D tensors are exempt."""
    first: torch.dtype | None = None
    for one in args:
        if isinstance(one, Tensor) and one.dtype is not first and one.is_floating_point() and one.dim():
            if first is not None:
                return "promotion", result.nbytes
            first = one.dtype
    return None


def _joined(args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any, device: str) -> Observation | None:
    """The same for the tensors of a list."""
    return _promotion(tuple(args[0]), kwargs, result, device)


def _literal(args: tuple[Any, ...], kwargs: dict[str, Any] | None, result: Any, device: str) -> Observation | None:
    return LITERAL, 0


_READS = """
_local_scalar_dense nonzero masked_select equal allclose is_nonzero _unique _unique2 unique_dim unique_consecutive
repeat_interleave.Tensor
"""
_PROMOTING = "mul mul_ where maximum minimum atan2 lerp addcmul addcdiv pow.Tensor_Tensor"

_OBSERVERS: dict[str, ObserverPair] = {
    "clone": ObserverPair(after=_clone),
    "_to_copy": ObserverPair(after=_converted),
    "copy_": ObserverPair(after=_copied),
    "lift_fresh": ObserverPair(after=_literal),
    **dict.fromkeys(_READS.split(), ObserverPair(before=_read)),
    **dict.fromkeys("index _unsafe_index index_put_ index_put _index_put_impl_".split(), ObserverPair(before=_masked)),
    **dict.fromkeys("add sub div add_ sub_ div_".split(), ObserverPair(after=_arithmetic)),
    **dict.fromkeys(_PROMOTING.split(), ObserverPair(after=_promotion)),
    **dict.fromkeys(("cat", "stack"), ObserverPair(after=_joined)),
}

_PUBLIC_NAMES = {"_to_copy": "to", "_local_scalar_dense": "item", "_unique2": "unique"}


def observers_of(name: str, overload: str) -> ObserverPair:
    """The observers of an ATen operator, by its name, or by name and overload if only one overload has any."""
    return _OBSERVERS.get(name) or _OBSERVERS.get(f"{name}.{overload}") or ObserverPair()


def public_operator_name(name: str) -> str:
    """The name of an operator in a program."""
    return _PUBLIC_NAMES.get(name) or name.lstrip("_")
