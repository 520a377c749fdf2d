"""The vocabulary that the static checker, the runtime and the harness share.

`Dim` (symbolic sizes), `Shape`, `DType` and `TensorSpec`, broadcasting, jaxtyping's grammar and matching against it.
Pure Python: neither torch nor anything else of ours is imported here.
"""

from shapecheck.spec.annotation import Annotation, parse_annotation
from shapecheck.spec.bindings import Bindings
from shapecheck.spec.broadcast import Broadcast, broadcast
from shapecheck.spec.dim import (
    Dim,
    Size,
    at_least,
    axis,
    maximum,
    minimum,
    quotient,
    same,
    substitute,
    total,
    unknown,
    without_common_factor,
)
from shapecheck.spec.dtype import DType, as_dtype, promote
from shapecheck.spec.errors import (
    AnnotationError,
    CallError,
    DTypeError,
    LayoutError,
    NegativeSizeError,
    ShapeError,
    SignatureError,
    Unanswered,
)
from shapecheck.spec.shape import Shape
from shapecheck.spec.tensor import DeviceMark, Layout, TensorSpec
from shapecheck.spec.unify import match
from shapecheck.spec.variadic_axes import VariadicAxes

__all__ = [
    "Annotation",
    "AnnotationError",
    "Bindings",
    "Broadcast",
    "CallError",
    "DType",
    "DTypeError",
    "DeviceMark",
    "Dim",
    "Layout",
    "LayoutError",
    "NegativeSizeError",
    "Shape",
    "ShapeError",
    "SignatureError",
    "Size",
    "TensorSpec",
    "Unanswered",
    "VariadicAxes",
    "as_dtype",
    "at_least",
    "axis",
    "broadcast",
    "match",
    "maximum",
    "minimum",
    "parse_annotation",
    "promote",
    "quotient",
    "same",
    "substitute",
    "total",
    "unknown",
    "without_common_factor",
]
