"""Windows of signal processing: torch.hann_window and similar functions, torch.signal.windows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from shapecheck.ops.registry import register
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.factories import counted, dtype_given, made
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, DTypeError, Shape
from shapecheck.spec.presentation import quoted, value_text

_PARAMETERS: dict[str, dict[str, Any]] = {
    "bartlett": {},
    "blackman": {},
    "cosine": {},
    "exponential": {"center": None, "tau": 1.0},
    "gaussian": {"std": 1.0},
    "general_cosine": {"a": None},
    "general_hamming": {"alpha": 0.54},
    "hamming": {},
    "hann": {},
    "kaiser": {"beta": 12.0},
    "nuttall": {},
}
_POSITIVE = ("std", "tau")


def _window(name: str, own: dict[str, Any]) -> Callable[..., Tensor]:
    def rule(
        M: object,
        *,
        sym: bool = True,
        dtype: object = None,
        layout: object = None,
        device: object = None,
        requires_grad: object = False,
        **parameters: Any,
    ) -> Tensor:
        """(M,) of float32 or float64."""
        _need_parameters(name, own, parameters)
        wanted = dtype_given(dtype)
        if wanted is not None and wanted.name not in ("float32", "float64"):
            raise DTypeError(f"expected dtype to be torch.float32 or torch.float64, got {wanted}")
        if layout not in (None, "torch.strided"):
            raise CallError(f"expected layout to be torch.strided, got {value_text(layout)}")
        if name == "exponential" and sym and parameters.get("center") is not None:
            raise CallError("expected center to be None for a symmetric window (sym=True)")
        return made(Shape((counted(M, "M"),)), wanted, device)

    return rule


def _need_parameters(name: str, own: dict[str, Any], values: dict[str, Any]) -> None:
    for parameter in values:
        if parameter not in own:
            known = ", ".join(["M", *own, "sym", "dtype"])
            raise CallError(f"got an unexpected keyword argument {quoted(parameter)}; available: {known}")
    if name == "general_cosine" and not isinstance(values.get("a"), Iterable):
        raise CallError(f"expected a to be a list or tuple of numbers, got {value_text(values.get('a'))}")
    if name == "general_cosine" and not values["a"]:
        raise CallError("expected at least one coefficient in a, got none")
    for parameter in _POSITIVE:
        value = values.get(parameter, 1.0)
        if isinstance(value, (int, float)) and value <= 0:
            raise CallError(f"expected {parameter} to be positive, got {value}")
    beta = values.get("beta", 1.0)
    if isinstance(beta, (int, float)) and beta < 0:
        raise CallError(f"expected beta to be non-negative, got {beta}")


for _name, _own in _PARAMETERS.items():
    register(_window(_name, _own), f"signal.windows.{_name}")


def _periodic_window(
    window_length: object,
    periodic: object = True,
    alpha: object = None,
    beta: object = None,
    *,
    dtype: object = None,
    layout: object = None,
    device: object = None,
    pin_memory: object = False,
    requires_grad: object = False,
) -> Tensor:
    """(window_length,) of a floating-point dtype."""
    wanted = dtype_given(dtype)
    if wanted is not None and not wanted.is_floating:
        raise DTypeError(f"expected dtype to be a floating-point dtype, got {wanted}")
    return made(Shape((counted(window_length, "window_length"),)), wanted, device)


for _name in ("bartlett", "blackman", "hamming", "hann", "kaiser"):
    register(_periodic_window, f"{_name}_window", traits=Trait.NEW_ON_DEFAULT_DEVICE)
