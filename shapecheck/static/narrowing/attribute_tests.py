"""`if hasattr(x, "logits"):` is a branch for objects of other types than tensors and plain values."""

from __future__ import annotations

from shapecheck.ops import Unknown
from shapecheck.ops.names import find
from shapecheck.spec import ShapeError, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.attribute_presence import lacks_attribute

_PLAIN = (bool, int, float, str, bytes)
_DATA = frozenset(
    """
    shape dtype device grad grad_fn requires_grad data T mT H mH real imag layout ndim itemsize nbytes names is_cuda
    is_cpu is_leaf is_sparse is_quantized is_meta is_nested untyped_storage storage register_hook backward
    """.split()
)


def with_attribute(value: Value, name: Value, outcome: bool) -> Value:
    """The value after `hasattr(value, name)`: one that is known to lack the attribute is another object."""
    if not isinstance(name, str):
        return value
    if type(value) in _PLAIN and hasattr(value, name) is not outcome:
        raise ShapeError(f"the value has no attribute {name}" if outcome else f"the value has an attribute {name}")
    if not outcome and type(value) is TensorSpec and mark_of(value) is None and _is_of_tensors(name):
        raise ShapeError(f"tensors have an attribute {name}")
    return Unknown("an object of an unknown type") if outcome and _lacks(value, name) else value


def _lacks(value: Value, name: str) -> bool:
    return not _is_of_tensors(name) if isinstance(value, TensorSpec) else lacks_attribute(value, name)


def _is_of_tensors(name: str) -> bool:
    return name.startswith("__") or name in _DATA or find(f"Tensor.{name}") is not None
