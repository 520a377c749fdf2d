"""Fourier transforms: torch.fft.

A transform of real data keeps half of the frequencies: n // 2 + 1 on its last axis; the inverse of it gives 2 * (m - 1)
unless a size is given. How the results lie in memory hangs on the library that torch was built with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapecheck.ops.registry import register
from shapecheck.ops.shared.arguments import Axes, Sizes, Tensor, axes, axis
from shapecheck.ops.shared.factories import counted, dtype_given, made
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DType, DTypeError, Shape, ShapeError, Size, TensorSpec, at_least
from shapecheck.spec.dtype import DEFAULT_FLOAT

_NORMS = (None, "forward", "backward", "ortho")
_PLAIN, _HALVES, _DOUBLES = "c2c", "r2c", "c2r"

# Each transform of one axis, and of several: whether it halves its last axis, doubles it, or keeps it.
_TRANSFORMS = {
    "fft": _PLAIN,
    "ifft": _PLAIN,
    "rfft": _HALVES,
    "ihfft": _HALVES,
    "irfft": _DOUBLES,
    "hfft": _DOUBLES,
}


def _of_one_axis(name: str, kind: str) -> Callable[..., Tensor]:
    def rule(input: Tensor, n: object = None, dim: int = -1, norm: object = None) -> Tensor:
        """One axis is transformed, cut or padded to n before."""
        _need_norm(norm)
        dtype = _dtype(input, name, kind)
        if input.rank == 0:
            raise ShapeError(f"dimension {dim} is out of range: the tensor has no dimensions")
        at = axis(dim, len(input.shape.head)) if input.rank is not None else dim
        points = _points(n, input.shape.size(at), kind)
        return _result(input, input.shape.with_at(at, _kept(points, kind)), dtype)

    return rule


def _of_axes(name: str, kind: str, default: Axes) -> Callable[..., Tensor]:
    def rule(input: Tensor, s: Sizes | None = None, dim: Axes = default, norm: object = None) -> Tensor:
        """The axes `dim` are transformed, cut or padded to the sizes s before; only the last is halved or doubled."""
        _need_norm(norm)
        dtype = _dtype(input, name, kind)
        chosen = _chosen(s, dim, input)
        if not chosen and kind != _PLAIN:
            raise ShapeError(f"{name} must transform at least one axis")
        shape = input.shape
        sizes = (None,) * len(chosen) if s is None else _listed(s)
        last = len(chosen) - 1
        for place, (at, n) in enumerate(zip(chosen, sizes, strict=True)):
            here = kind if place == last else _PLAIN
            points = _points(None if n == -1 else n, shape.size(at), here)
            shape = shape.with_at(at, _kept(points, here))
        return _result(input, shape, dtype)

    return rule


for _name, _kind in _TRANSFORMS.items():
    register(_of_one_axis(_name, _kind), f"fft.{_name}")
    register(_of_axes(f"{_name}2", _kind, (-2, -1)), f"fft.{_name}2")
    register(_of_axes(f"{_name}n", _kind, None), f"fft.{_name}n")


def _need_norm(norm: object) -> None:
    if norm not in _NORMS and not isinstance(norm, Unknown):
        raise CallError(f"invalid normalization mode: {norm!r}; forward, backward and ortho are valid")


def _dtype(input: Tensor, name: str, kind: str) -> DType | None:
    """The dtype of the result: ints are taken as floats. Raises DTypeError where the transform is of real data only."""
    dtype = input.dtype
    if dtype is None:
        return None
    if kind == _HALVES and dtype.is_complex:
        raise DTypeError(f"{name} expects a real input tensor, but got {dtype}")
    if not dtype.is_floating and not dtype.is_complex:
        dtype = DEFAULT_FLOAT
    on_cpu = input.device == "cpu" and dtype.itemsize // (2 if dtype.is_complex else 1) < 4
    if dtype.name not in ("float16", "float32", "float64", "complex32", "complex64", "complex128") or on_cpu:
        raise DTypeError(
            f"unsupported dtype {dtype}; torch.float32, torch.float64 and their complex dtypes are supported"
        )
    return dtype.to_real() if kind == _DOUBLES else dtype.to_complex()


def _points(n: Any, given: Size, kind: str) -> Size:
    """How many numbers are transformed; raises ShapeError where there is none."""
    points = 2 * (given - 1) if kind == _DOUBLES and n is None else given if n is None else _wanted(n)
    if points < 1 if type(points) is int else at_least(points, 1) is False:
        raise ShapeError(f"invalid number of data points ({points}) specified; the size of the axis is {given}")
    return points


def _wanted(n: Any) -> Size:
    return n if type(n) is int else counted(n, "the number of data points")


def _kept(points: Size, kind: str) -> Size:
    return points // 2 + 1 if kind == _HALVES else points


def _listed(s: Any) -> tuple[Any, ...]:
    if isinstance(s, Unknown):
        return ()
    return tuple(s) if isinstance(s, (tuple, list, Shape)) else (s,)


def _chosen(s: Any, dim: Any, input: Tensor) -> tuple[int, ...]:
    """The axes that are transformed: those given, or as many of the last as there are sizes, or all."""
    if input.rank is None and (dim is not None or s is not None):
        return tuple(range(-len(_listed(s)), 0)) if dim is None else _listed(dim)
    rank = len(input.dims)
    if dim is not None:
        given = _several(dim, rank)
        if s is not None and len(_listed(s)) != len(given):
            raise CallError(f"when given, dim and s must have the same length, here {len(given)} and {len(_listed(s))}")
        return given
    if s is None:
        return tuple(range(rank))
    count = len(_listed(s))
    if count > rank:
        raise ShapeError(f"got a shape s with {count} values but the input tensor only has {rank} dimensions")
    return tuple(range(rank - count, rank))


def _several(dim: Any, rank: int) -> tuple[int, ...]:
    if rank == 0 and dim not in ((), []):
        raise ShapeError(f"dimension {dim} is out of range: the tensor has no dimensions")
    return axes(dim, rank)


def _result(input: Tensor, shape: Shape, dtype: DType | None) -> Tensor:
    return TensorSpec.make(shape, dtype, "contiguous" if shape.rank in (0, 1) else "unknown", input.device)


def _frequencies(halved: bool) -> Callable[..., Tensor]:
    def rule(
        n: object,
        d: object = 1.0,
        *,
        dtype: object = None,
        layout: object = None,
        device: object = None,
        requires_grad: object = False,
        pin_memory: object = False,
    ) -> Tensor:
        """The frequencies of a transform of n numbers: n of them, or n // 2 + 1 of a real one."""
        wanted = dtype_given(dtype)
        if wanted is not None and not wanted.is_floating and not wanted.is_complex:
            raise DTypeError(f"requires a floating point or complex dtype, not {wanted}")
        count = counted(n, "n")
        return made(Shape((count // 2 + 1 if halved else count,)), wanted, device)

    return rule


register(_frequencies(halved=False), "fft.fftfreq")
register(_frequencies(halved=True), "fft.rfftfreq")


def _shifted(input: Tensor, dim: Axes = None) -> Tensor:
    """The shape and the dtype stay."""
    if input.rank is not None and dim is not None:
        for one in dim if isinstance(dim, (tuple, list)) else (dim,):
            axis(one, len(input.dims))
    return input if input.layout == "contiguous" else input.with_layout("unknown")


register(_shifted, "fft.fftshift")
register(_shifted, "fft.ifftshift")
