"""`if hasattr(x, "logits"):` is a branch for objects of other types than tensors and plain values."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.ops.names import find
from shapecheck.spec import ShapeError, TensorSpec
from shapecheck.static.domain.abstract_values import Value

_PLAIN = (bool, int, float, str, bytes)
_DATA = frozenset(
    """
    shape dtype device grad grad_fn requires_grad data T mT H mH real imag layout ndim itemsize nbytes names is_cuda
    is_cpu is_leaf is_sparse is_quantized is_meta is_nested untyped_storage storage register_hook backward
    """.split()
)


def with_attribute(value: Value, name: Value, outcome: bool) -> Value:
    """The value after `hasattr(value, name)`: a tensor that has an attribute of no tensor is another object."""
    if not isinstance(name, str):
        return value
    if type(value) in _PLAIN and hasattr(value, name) is not outcome:
        raise ShapeError(f"the value has no attribute {name}" if outcome else f"the value has an attribute {name}")
    if outcome and isinstance(value, TensorSpec) and not _is_of_tensors(name):
        return Unknown("an object of an unknown type")
    return value


def _is_of_tensors(name: str) -> bool:
    return name.startswith("__") or name in _DATA or find(f"Tensor.{name}") is not None
