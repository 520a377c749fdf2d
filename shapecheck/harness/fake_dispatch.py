"""Makes calls under a FakeTensorMode cheaper: a second, smaller cache in front of that of torch.

Torch looks a call up in its own cache by a key of some 80 values, and checks what it makes from it, which costs more
than many operators do with data. A large model repeats the same few calls in each layer, and in each check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

_META = torch.device("meta")
_PLAIN = frozenset((int, float, bool, str, type(None), torch.dtype, torch.device, torch.layout, torch.memory_format))
"""The types of arguments that are compared by type and value; 1 and 1.0 give results of different dtypes."""
_DEVICE: Any = torch.ops.prim.device.default
_UNSAFE_VIEW: Any = torch.ops.aten._unsafe_view.default
"""A view that is not declared as one, so torch does not cache it; each product of a matrix and a batch ends with it."""


def use_quick_dispatch(mode: FakeTensorMode) -> FakeTensorMode:
    """The mode, which from now on remembers the calls that torch's cache has."""
    if mode.shape_env is None and mode.cache_enabled:
        vars(mode)["dispatch"] = _QuickDispatch(mode)  # not a subclass, which higher-order operators would not know
    return mode


class _Unknown(Exception):
    """A call has an argument that the key does not describe."""


class _Result(NamedTuple):
    """How to make the result of a call: the argument at a position, or a new tensor, maybe a view of an argument.

    fields: the attributes of a new fake tensor.
    """

    same: int | None = None
    view_of: int | None = None
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    offset: int = 0
    dtype: torch.dtype = torch.float32
    device: torch.device = _META
    requires_grad: bool = False
    fields: Mapping[str, Any] = {}


class _QuickDispatch:
    """Replaces `FakeTensorMode.dispatch`."""

    def __init__(self, mode: FakeTensorMode) -> None:
        self._mode = mode
        self._of_torch: Callable[..., Any] = mode.dispatch
        self._known: dict[tuple[Any, ...], _Result] = {}
        self._calls = 0
        """How many calls were left to torch."""

    def __call__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """The result of an operator."""
        if func is _DEVICE and type(args[0]) is FakeTensor:  # autograd asks for the device of each result
            return args[0].device
        try:
            key = self._key(func, args, kwargs or {})
        except _Unknown:
            return self._left_to_torch(func, types, args, kwargs)
        result = self._known.get(key)
        if result is not None:
            return args[result.same] if result.same is not None else _made(result, args)
        return self._learnt(key, func, types, args, kwargs)

    def _key(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
        if self._mode.in_kernel_invocation:
            raise _Unknown
        key: list[Any] = [
            func,
            torch.get_default_dtype(),
            torch._C._get_default_device(),
            torch.is_inference_mode_enabled(),
        ]
        _describe(key, args, self._mode)
        if kwargs:
            key += kwargs
            _describe(key, kwargs.values(), self._mode)
        return tuple(key)

    def _left_to_torch(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        self._calls += 1
        return self._of_torch(func, types, args, kwargs or {})

    def _learnt(self, key: tuple[Any, ...], func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """The result of torch, which is remembered if torch's cache has it now: itself, not a call inside it."""
        calls, cached = self._calls, _cached_by_torch()
        output = self._left_to_torch(func, types, args, kwargs)
        is_whole = self._calls == calls + 1 and type(output) is FakeTensor
        if is_whole and (func is _UNSAFE_VIEW or _cached_by_torch() == cached + 1):
            result = _result_of(func, args, output)
            if result is not None:
                self._known[key] = result
        return output


def _cached_by_torch() -> int:
    """How many calls torch has taken from its cache, or has put there."""
    return FakeTensorMode.cache_hits + FakeTensorMode.cache_misses


def _describe(key: list[Any], values: Any, mode: FakeTensorMode) -> None:
    """Adds what determines the result of a call with these arguments."""
    for one in values:
        kind = type(one)
        if kind is FakeTensor:
            if one.fake_mode is not mode or one.constant is not None or one.layout is not torch.strided:
                raise _Unknown
            key += (
                one.dtype,
                one.shape,
                one.stride(),
                one.storage_offset(),
                one.untyped_storage().nbytes(),
                one.fake_device,
                one.requires_grad,
                one.is_conj(),
                one.is_neg(),
                one.is_inference(),
            )
        elif kind in _PLAIN:
            key += (kind, one)
        elif kind is list or kind is tuple:
            key += (kind, len(one))
            _describe(key, one, mode)
        else:
            raise _Unknown


def _result_of(func: Any, args: Sequence[Any], output: Any) -> _Result | None:
    """How to make this result again; None if that is not known."""
    for position, one in enumerate(args):
        if one is output:
            return _Result(same=position)
    if output.is_conj() or output.is_neg() or output.is_inference() or output.layout is not torch.strided:
        return None
    view_of = None
    if func.is_view or func is _UNSAFE_VIEW:
        view_of = next(position for position, one in enumerate(args) if isinstance(one, Tensor))
    return _Result(
        None,
        view_of,
        tuple(output.shape),
        output.stride(),
        output.storage_offset(),
        output.dtype,
        output.fake_device,
        output.requires_grad,
        vars(FakeTensor(output.fake_mode, torch.empty(0, device=_META), output.fake_device)),
    )


def _made(result: _Result, args: Sequence[Any]) -> Tensor:
    """A new tensor, as the constructor of FakeTensor makes it from a tensor on meta."""
    empty = torch.empty_strided(
        result.shape, result.strides, dtype=result.dtype, device=_META, requires_grad=result.requires_grad
    )
    if result.view_of is not None:
        empty.set_(args[result.view_of].untyped_storage(), result.offset, result.shape, result.strides)
    made = Tensor._make_subclass(
        FakeTensor, empty, result.requires_grad, dispatch_device=True, device_for_backend_keys=result.device
    )
    vars(made).update(result.fields)
    if made.fake_mode._allow_unsafe_data_ptr_access:  # copy.deepcopy asks for it
        torch._C._set_warn_deprecated_on_mutable_data_ptr(made)
    else:
        torch._C._set_throw_on_mutable_data_ptr(made)
    return made
