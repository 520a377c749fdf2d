"""shapecheck makes tensor shapes checkable for people who write PyTorch."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shapecheck.ops import UNKNOWN, ModuleSpec, Unknown, infer
    from shapecheck.spec import CallError, DTypeError, LayoutError, ShapeError, TensorSpec

__version__ = "0.1.0"
__all__ = [
    "UNKNOWN",
    "CallError",
    "DTypeError",
    "LayoutError",
    "ModuleSpec",
    "ShapeError",
    "TensorSpec",
    "Unknown",
    "infer",
]

_OPS = ("UNKNOWN", "ModuleSpec", "Unknown", "infer")


def __getattr__(name: str) -> Any:
    # Loaded when first asked for: the commands start faster than the operators' rules load.
    if name not in __all__:
        raise AttributeError(f"module 'shapecheck' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module("shapecheck.ops" if name in _OPS else "shapecheck.spec"), name)
