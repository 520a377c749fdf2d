"""`shapecheck.case`: how a class or factory declares its arguments, sizes and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from shapecheck.spec.presentation import value_text

_T = TypeVar("_T", bound=Callable[..., Any])
Parallelize = Callable[[Any, Any], Any] | Mapping[str, Any]
"""A function of a model and a DeviceMesh, or a ParallelStyle for each submodule by name."""
_KEY = "__shapecheck_cases__"


@dataclass(frozen=True)
class Declared:
    """The declaration of one case of a class or factory; empty for one without declaration."""

    dims: Mapping[str, int] = field(default_factory=dict)
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    inputs: Any = None
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    skip: tuple[str, ...] = ()
    checkpoint: str | None = None
    device: str = ""
    label: str = ""
    parallelize: Parallelize | None = None


def case(
    dims: Mapping[str, int] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    inputs: Callable[..., Any] | None = None,
    ranges: Mapping[str, int | tuple[int, int]] | None = None,
    skip: Iterable[str] = (),
    checkpoint: str | None = None,
    device: str = "",
    label: str = "",
    parallelize: Parallelize | None = None,
) -> Callable[[_T], _T]:
    """Declares how `shapecheck run` builds and calls an nn.Module class, or the result of a factory function.

    dims: sizes of axis names of forward's annotations; others are generated. kwargs: arguments of the constructor or
    the factory. inputs: called with the sizes by axis name, returns the arguments of forward as a tuple or as a dict by
    parameter name, in place of those generated from the annotations. ranges: by parameter, the integers it accepts: `n`
    for 0 to n - 1, or `(low, high)`, both included. skip: names of checks. checkpoint: a file of weights
    (`.safetensors`, or a state_dict), relative to the file of the class. device: takes precedence over `--device`,
    such as "fake" for a model that exceeds the memory. label: distinguishes several cases of one class.
    parallelize: how `--ranks` divides the model among processes: a function that is called with the model and a
    DeviceMesh, or a plan of `torch.distributed.tensor.parallel.parallelize_module`.

    The decorator can be repeated and returns its target unchanged. Raises ValueError for an invalid value.
    """
    made = Declared(
        dims=_sizes(dims or {}),
        kwargs=dict(kwargs or {}),
        inputs=inputs,
        ranges={name: _range(name, given) for name, given in (ranges or {}).items()},
        skip=(skip,) if isinstance(skip, str) else tuple(skip),
        checkpoint=checkpoint,
        device=device,
        label=label,
        parallelize=parallelize,
    )

    def declare(target: _T) -> _T:
        setattr(target, _KEY, [made, *declared_of(target)])
        return target

    return declare


def declared_of(target: Any) -> list[Declared]:
    """The cases that were declared on a class or function itself, not on a parent."""
    return list(vars(target).get(_KEY, ())) if hasattr(target, "__dict__") else []


def _sizes(dims: Mapping[str, int]) -> dict[str, int]:
    for name, size in dims.items():
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise ValueError(f"case(dims=...): expected {name} to be a non-negative integer, got {value_text(size)}")
    return dict(dims)


def _range(name: str, given: int | tuple[int, int]) -> tuple[int, int]:
    low, high = (0, given - 1) if isinstance(given, int) else given
    if high < low:
        raise ValueError(f"case(ranges=...): expected a non-empty range for {name}, got {value_text(given)}")
    return low, high
