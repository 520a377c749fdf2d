"""Fourier transforms: torch.fft.

A transform of real data keeps half of the frequencies: n // 2 + 1 in the last dimension. Its inverse gives 2 * (m - 1)
unless a size is given. The strides of the results depend on the library that torch was built with.
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
from shapecheck.spec.presentation import value_text

_NORMS = (None, "forward", "backward", "ortho")
_PLAIN, _HALVES, _DOUBLES = "c2c", "r2c", "c2r"

# Each transform of one dimension, and of several: whether it halves its last dimension, doubles it, or keeps it.
_TRANSFORMS = {
    "fft": _PLAIN,
    "ifft": _PLAIN,
    "rfft": _HALVES,
    "ihfft": _HALVES,
    "irfft": _DOUBLES,
    "hfft": _DOUBLES,
}


def _of_one_axis(kind: str) -> Callable[..., Tensor]:
    def rule(input: Tensor, n: object = None, dim: int = -1, norm: object = None) -> Tensor:
        """Transforms one dimension, which is first cut or padded to n."""
        _need_norm(norm)
        dtype = _dtype(input, kind)
        if input.rank == 0:
            raise ShapeError("expected at least 1 dimension, got shape ()")
        at = axis(dim, len(input.shape.head)) if input.rank is not None else dim
        points = _points(n, input.shape.size(at), kind)
        return _result(input, input.shape.with_at(at, _kept(points, kind)), dtype)

    return rule


def _of_axes(kind: str, default: Axes) -> Callable[..., Tensor]:
    def rule(input: Tensor, s: Sizes | None = None, dim: Axes = default, norm: object = None) -> Tensor:
        """Transforms the dimensions `dim`, first cut or padded to the sizes s; only the last is halved or doubled."""
        _need_norm(norm)
        dtype = _dtype(input, kind)
        chosen = _chosen(s, dim, input)
        if not chosen and kind != _PLAIN:
            raise ShapeError("expected at least 1 dimension to transform, got none")
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
    register(_of_one_axis(_kind), f"fft.{_name}")
    register(_of_axes(_kind, (-2, -1)), f"fft.{_name}2")
    register(_of_axes(_kind, None), f"fft.{_name}n")


def _need_norm(norm: object) -> None:
    if norm not in _NORMS and not isinstance(norm, Unknown):
        raise CallError(f'expected norm to be "forward", "backward" or "ortho", got {value_text(norm)}')


def _dtype(input: Tensor, kind: str) -> DType | None:
    """The dtype of the result: ints are converted to floats. Raises DTypeError for an unsupported dtype."""
    dtype = input.dtype
    if dtype is None:
        return None
    if kind == _HALVES and dtype.is_complex:
        raise DTypeError(f"expected a real input, got {dtype}")
    if not dtype.is_floating and not dtype.is_complex:
        dtype = DEFAULT_FLOAT
    on_cpu = input.device == "cpu" and dtype.itemsize // (2 if dtype.is_complex else 1) < 4
    if dtype.name not in ("float16", "float32", "float64", "complex32", "complex64", "complex128") or on_cpu:
        raise DTypeError(f"expected torch.float32, torch.float64, torch.complex64 or torch.complex128, got {dtype}")
    return dtype.to_real() if kind == _DOUBLES else dtype.to_complex()


def _points(n: Any, given: Size, kind: str) -> Size:
    """The number of points that are transformed; raises ShapeError for less than one."""
    points = 2 * (given - 1) if kind == _DOUBLES and n is None else given if n is None else _wanted(n)
    if points < 1 if type(points) is int else at_least(points, 1) is False:
        raise ShapeError(f"expected at least 1 data point, got {points} (dimension of size {given})")
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
    """The dimensions that are transformed: the given ones, or the last ones for the given sizes, or all."""
    if input.rank is None and (dim is not None or s is not None):
        return tuple(range(-len(_listed(s)), 0)) if dim is None else _listed(dim)
    rank = len(input.dims)
    if dim is not None:
        given = _several(dim, rank)
        if s is not None and len(_listed(s)) != len(given):
            raise CallError(f"expected dim and s to have the same length, got {len(given)} and {len(_listed(s))}")
        return given
    if s is None:
        return tuple(range(rank))
    count = len(_listed(s))
    if count > rank:
        raise ShapeError(f"expected s to have length {rank} or less, got {count} (input of shape {input.shape})")
    return tuple(range(rank - count, rank))


def _several(dim: Any, rank: int) -> tuple[int, ...]:
    if rank == 0 and dim not in ((), []):
        raise ShapeError("expected at least 1 dimension, got shape ()")
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
        """The n frequencies of a transform of n points, or n // 2 + 1 if it is real."""
        wanted = dtype_given(dtype)
        if wanted is not None and not wanted.is_floating and not wanted.is_complex:
            raise DTypeError(f"expected a floating-point or complex dtype, got {wanted}")
        count = counted(n, "n")
        return made(Shape((count // 2 + 1 if halved else count,)), wanted, device)

    return rule


register(_frequencies(halved=False), "fft.fftfreq")
register(_frequencies(halved=True), "fft.rfftfreq")


def _shifted(input: Tensor, dim: Axes = None) -> Tensor:
    """Keeps the shape and dtype."""
    if input.rank is not None and dim is not None:
        for one in dim if isinstance(dim, (tuple, list)) else (dim,):
            axis(one, len(input.dims))
    return input if input.layout == "contiguous" else input.with_layout("unknown")


register(_shifted, "fft.fftshift")
register(_shifted, "fft.ifftshift")
