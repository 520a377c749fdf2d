"""Conversion between arrays and tensors: `torch.from_numpy`, `torch.tensor`, `torch.FloatTensor`, `tensor.numpy()`."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import DType, TensorSpec
from shapecheck.spec.dtype import bfloat16, bool_, float16, float32, float64, int8, int16, int32, int64, uint8
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import proven
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.run import Run
from shapecheck.static.models.numpy.array_like import MAX_NESTED, as_array

_FROM_DATA = frozenset("torch.from_numpy torch.tensor torch.as_tensor torch.asarray".split())
_DTYPE_OF_CLASS: dict[str, DType] = {
    "torch.Tensor": float32,
    "torch.FloatTensor": float32,
    "torch.DoubleTensor": float64,
    "torch.HalfTensor": float16,
    "torch.BFloat16Tensor": bfloat16,
    "torch.LongTensor": int64,
    "torch.IntTensor": int32,
    "torch.ShortTensor": int16,
    "torch.CharTensor": int8,
    "torch.ByteTensor": uint8,
    "torch.BoolTensor": bool_,
}


def takes_array(name: str, args: tuple[Value, ...]) -> bool:
    """Whether a function creates a tensor, and its first argument is an array or contains one."""
    return bool(args) and (name in _FROM_DATA or name in _DTYPE_OF_CLASS) and _holds_array(args[0])


def _holds_array(value: Value, depth: int = 0) -> bool:
    if isinstance(value, ListValue) and not value.lost:
        value = value.items
    if type(value) is not tuple or depth > MAX_NESTED:
        return isinstance(value, ArraySpec)
    return any(_holds_array(one, depth + 1) for one in value)


def tensor_of(run: Run, node: ast.AST, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The tensor that a function creates from an array."""
    data = as_array(args[0])
    if data is None:
        return Unknown("an unknown array")
    if name in _DTYPE_OF_CLASS:
        return TensorSpec.make(data.shape, _DTYPE_OF_CLASS[name], "contiguous")
    return dispatch.torch_call(run, node, name, (data.spec, *args[1:]), kwargs)


def array_of(tensor: TensorSpec) -> Value:
    """The result of `tensor.numpy()`."""
    return (
        Unknown("an array of dtype bfloat16, which NumPy lacks")
        if tensor.dtype is bfloat16
        else ArraySpec(proven(tensor))
    )
