"""Static and run-time checks of tensor shapes for PyTorch."""

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from shapecheck.harness import case
    from shapecheck.ops import UNKNOWN, ModuleSpec, Unknown, infer
    from shapecheck.record import recording
    from shapecheck.runtime import (
        AnnotationWarning,
        ChannelsLast,
        Contiguous,
        OnDevice,
        checked,
        guard,
        install_import_hook,
        print_bindings,
    )
    from shapecheck.spec import CallError, DTypeError, LayoutError, ShapeError, TensorSpec

__version__ = "0.2.0"
__all__ = [
    "UNKNOWN",
    "AnnotationWarning",
    "CallError",
    "ChannelsLast",
    "Contiguous",
    "DTypeError",
    "LayoutError",
    "ModuleSpec",
    "OnDevice",
    "ShapeError",
    "TensorSpec",
    "Unknown",
    "case",
    "checked",
    "guard",
    "infer",
    "install_import_hook",
    "print_bindings",
    "recording",
    "reveal_shape",
]

_T = TypeVar("_T")

_OPS = ("UNKNOWN", "ModuleSpec", "Unknown", "infer")
_RUNTIME = (
    "AnnotationWarning",
    "ChannelsLast",
    "Contiguous",
    "OnDevice",
    "checked",
    "guard",
    "install_import_hook",
    "print_bindings",
)
_ROOMS = {
    "case": "shapecheck.harness",
    "recording": "shapecheck.record",
    **dict.fromkeys(_OPS, "shapecheck.ops"),
    **dict.fromkeys(_RUNTIME, "shapecheck.runtime"),
}


def reveal_shape(value: _T, /) -> _T:
    """Returns `value`; `shapecheck check` reports in a note what it has inferred about the value there.

    The note needs no import: the bare name works too, and so does an import under `if TYPE_CHECKING:`.
    """
    return value


def __getattr__(name: str) -> Any:
    # Loaded on first use: the commands start faster than the operators' rules load.
    if name not in __all__:
        raise AttributeError(f"module 'shapecheck' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(_ROOMS.get(name, "shapecheck.spec")), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
