"""Windows of signal processing: torch.hann_window and its kin, torch.signal.windows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from shapecheck.ops.registry import register
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.factories import counted, dtype_given, made
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError, DTypeError, Shape

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
            raise DTypeError(f"expects torch.float32 or torch.float64 dtypes, got: {wanted}")
        if layout not in (None, "torch.strided"):
            raise CallError(f"is implemented for strided tensors only, got: {layout}")
        if name == "exponential" and sym and parameters.get("center") is not None:
            raise CallError("center must be None for symmetric windows")
        return made(Shape((counted(M, "the window length M"),)), wanted, device)

    return rule


def _need_parameters(name: str, own: dict[str, Any], values: dict[str, Any]) -> None:
    for parameter in values:
        if parameter not in own:
            raise CallError(
                f"there is no parameter {parameter!r}; the parameters are M, {', '.join([*own, 'sym', 'dtype'])}"
            )
    if name == "general_cosine" and not isinstance(values.get("a"), Iterable):
        raise CallError(f"coefficients a must be a list or tuple of numbers, here they are {values.get('a')!r}")
    if name == "general_cosine" and not values["a"]:
        raise CallError("coefficients a cannot be empty")
    for parameter in _POSITIVE:
        value = values.get(parameter, 1.0)
        if isinstance(value, (int, float)) and value <= 0:
            raise CallError(f"{parameter} must be positive, got: {value} instead")
    beta = values.get("beta", 1.0)
    if isinstance(beta, (int, float)) and beta < 0:
        raise CallError(f"beta must be non-negative, got: {beta} instead")


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
    """(window_length,) of floats."""
    wanted = dtype_given(dtype)
    if wanted is not None and not wanted.is_floating:
        raise DTypeError(f"expects floating point dtypes, got: {wanted}")
    return made(Shape((counted(window_length, "window_length"),)), wanted, device)


for _name in ("bartlett", "blackman", "hamming", "hann", "kaiser"):
    register(_periodic_window, f"{_name}_window", traits=Trait.NEW_ON_DEFAULT_DEVICE)
