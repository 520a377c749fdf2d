"""Subscripts: `x[...]` and `x[...] = value`, basic and advanced.

Basic items (ints, slices, None, `...`) are applied first and give a view. Tensors, lists and masks are then applied
together: they broadcast, and the resulting dimensions replace the first indexed one if the indexed ones are adjacent,
otherwise they come first (https://numpy.org/doc/stable/user/basics.indexing.html#combining-advanced-and-basic-indexing).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.rules.slicing import need_in_range
from shapecheck.ops.rules.subscript import MASKS, axes_used, items_of, sliced
from shapecheck.ops.shared.arguments import Tensor, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.matching import fitted_into
from shapecheck.ops.traits import Trait
from shapecheck.spec import (
    CallError,
    DTypeError,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    Unanswered,
    VariadicAxes,
    at_least,
    same,
    unknown,
)
from shapecheck.spec.broadcast import broadcast_shapes, may_be_one
from shapecheck.spec.dtype import int32, int64
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import laid_out, strides_of

_INDEX_DTYPES = (int64, int32, *MASKS, None)
_OF_BOOL = (TensorSpec((0,), int64, "contiguous"), TensorSpec((1,), int64, "contiguous"))


@op("__getitem__", "getitem", traits=Trait.BATCH_FIRST)
def getitem(input: Tensor, key: Any) -> Tensor:
    """The elements that `key` selects: a view if it has only ints, slices, None and `...`."""
    return _Selection(input, items_of(key)).result()


@op("__setitem__", "setitem")
def setitem(input: Tensor, key: Any, value: Tensor | Any) -> Tensor:
    """The input; the value must broadcast to the shape that `key` selects."""
    if isinstance(value, (str, list, tuple, dict)):
        raise CallError(f"expected a tensor or a number to assign, got {value_text(value)}")
    if key is False:
        return input
    selection = _Selection(input, items_of(None if key is True else key))
    _need_assignable(value, selection.result().shape)
    _need_castable(value, selection)
    return input


def _need_assignable(value: object, into: Shape) -> None:
    """Raises ShapeError if a value does not broadcast to the shape that it is assigned to."""
    if not isinstance(value, TensorSpec) or value.rank is None:
        return
    given = value.shape
    while into.rank is not None and len(given.head) > into.rank and may_be_one(given.head[0]):
        given = Shape(given.head[1:])
    fitted_into(given, into, f"cannot assign a value of shape {value.shape} to elements of shape {into}")


def _need_castable(value: object, selection: _Selection) -> None:
    """Numbers and values assigned to a view are cast; a tensor assigned through tensor indices is not."""
    given = value.dtype if isinstance(value, TensorSpec) else None
    into = selection.tensor.dtype
    fills = not isinstance(value, TensorSpec) or selection.is_filled_by(value)
    if isinstance(value, TensorSpec) and selection.indices and not fills:
        need_same_dtype(("input", selection.tensor), ("value", value))
    is_complex = isinstance(value, complex) or (given is not None and given.is_complex and bool(selection.indices))
    if fills and is_complex and into is not None and not into.is_complex:
        raise DTypeError(f"cannot assign a complex value to a tensor of dtype {into}")


@op("index", "_unsafe_index")
def index(input: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    """The result of indexing with these tensors; None selects a whole dimension (aten.index)."""
    return _by_tensors(input, indices).result()


@op("_unsafe_masked_index")
def unsafe_masked_index(self: Tensor, mask: Tensor, indices: Sequence[Tensor | None], fill: object) -> Tensor:
    """The result of indexing with `indices`, where the mask is True."""
    return index(self, indices)


@op("_unsafe_masked_index_put_accumulate")
def unsafe_masked_index_put(self: Tensor, mask: Tensor, indices: Sequence[Tensor | None], values: Tensor) -> Tensor:
    """The input's shape."""
    return self.with_layout("contiguous" if self.layout == "contiguous" else "unknown")


@op("index_put", "_unsafe_index_put", "_index_put_impl")
def index_put(
    input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: object = False, unsafe: object = False
) -> Tensor:
    """The input's shape; the values broadcast to the shape that the indices select."""
    if not isinstance(values, TensorSpec):
        raise CallError(f"expected values to be a tensor, got {value_text(values)}")
    need_same_dtype(("input", input), ("values", values))
    _need_assignable(values, _by_tensors(input, indices).result().shape)
    return input.with_layout("contiguous" if input.layout == "contiguous" else "unknown")


def _by_tensors(input: Tensor, indices: Any) -> _Selection:
    if not isinstance(indices, (tuple, list)):
        raise CallError(f"expected indices to be a tuple of tensors, got {value_text(indices)}")
    for item in indices:
        if item is not None and not isinstance(item, TensorSpec):
            raise CallError(f"expected indices to contain only tensors, got {value_text(item)}")
    return _Selection(input, [slice(None) if item is None else item for item in indices])


class _Selection:
    """A subscript, read from left to right.

    tensor: the indexed tensor. axes: its dimensions after the basic items, each a size, or a run of an unknown number
    of them. strides: theirs, None if not known. indices: position in `axes` -> the tensor that indexes it (a mask of
    several dimensions also indexes the next ones). listed: least and greatest number of a list, and the size indexed.
    """

    def __init__(self, tensor: Tensor, items: list[Any]) -> None:
        self.tensor = tensor
        self.axes: list[Size | VariadicAxes] = []
        self.indices: dict[int, TensorSpec] = {}
        self.listed: list[tuple[int, Size]] = []
        known = strides_of(tensor)
        self.strides: list[Size] | None = None if known is None else []
        self._read(items, list(known or ()))

    def _read(self, items: list[Any], strides: list[Size]) -> None:
        cut = next((place for place, item in enumerate(items) if item is ...), len(items))
        front, back = items[:cut], [item for item in items[cut + 1 :] if item is not ...]
        before, after = sum(map(axes_used, front)), sum(map(axes_used, back))
        if back and items[cut + 1 :].count(...):
            raise Unanswered("more than one ellipsis")
        shape = self.tensor.shape
        if shape.run is None:
            self._need_axes(before + after, items)
            end = len(shape.head) - after
            head: Sequence[Size] = shape.head[:before]
            middle: Sequence[Size | VariadicAxes] = shape.head[before:end]
            tail: Sequence[Size] = shape.head[end:]
        else:
            head, middle, tail = _open_parts(shape, before, after)
            end = -1
        self._apply(front, head, strides[:before])
        self.axes += middle
        if self.strides is not None:
            self.strides += strides[before:end]
        self._apply(back, tail, strides[end:])

    def _need_axes(self, used: int, items: list[Any]) -> None:
        shape = self.tensor.shape
        if used <= len(shape.head):
            return
        if not shape.head:
            what = "slice" if isinstance(items[0], slice) else "index"
            raise ShapeError(f"too many indices: cannot {what} a 0-D tensor")
        raise ShapeError(f"too many indices: got {used} for a {len(shape.head)}-D tensor of shape {shape}")

    def _apply(self, items: list[Any], sizes: Sequence[Size], strides: list[Size]) -> None:
        at = 0
        for item in items:
            end = at + axes_used(item)
            if item is None:
                self._keep([1], [1])
            elif isinstance(item, bool):
                self._index(_OF_BOOL[item], [1], [1])
            elif isinstance(item, slice):
                size, step = sliced(sizes[at], item)
                self._keep([size], [stride * step for stride in strides[at:end]])
            elif isinstance(item, TensorSpec):
                self._take(item, sizes[at:end], strides[at:end])
            elif isinstance(item, list):
                self.listed += [(min(item), sizes[at]), (max(item), sizes[at])]
                self._index(TensorSpec((len(item),), int64, "contiguous"), sizes[at:end], strides[at:end])
            else:
                need_in_range(item, sizes[at])
            at = end

    def _take(self, item: TensorSpec, sizes: Sequence[Size], strides: list[Size]) -> None:
        is_small = item.dtype is not None and item.dtype.name in ("int8", "int16")
        if item.dtype not in _INDEX_DTYPES and not (item.rank == 0 and is_small):
            raise DTypeError(
                f"expected an index of dtype torch.int64, torch.int32, torch.uint8 or torch.bool, got {item.dtype}"
            )
        if item.rank == 0 and item.dtype is None:
            raise Unanswered("index of unknown dtype")
        if item.rank == 0 and item.dtype in MASKS:
            self._index(item, [1], [1])
        elif item.rank != 0:
            self._index(item, sizes, strides)
        # a single number selects an element and removes the dimension

    def _keep(self, sizes: Sequence[Size], strides: list[Size]) -> None:
        self.axes += sizes
        if self.strides is not None:
            self.strides += strides

    def _index(self, item: TensorSpec, sizes: Sequence[Size], strides: list[Size]) -> None:
        self.indices[len(self.axes)] = item
        self._keep(sizes, strides)

    def is_filled_by(self, value: TensorSpec) -> bool:
        """Whether a mask selects and the value may be one element: torch then fills, and casts the value."""
        dtypes = [item.dtype for item in self.indices.values()]
        return (
            len(dtypes) == 1 and dtypes[0] in (*MASKS, None) and all(same(n, 1) is not False for n in value.shape.head)
        )

    def result(self) -> TensorSpec:
        """The selected tensor."""
        if self.indices:
            return self._gathered()
        shape = _shape(self.axes)
        if self.strides is None or shape.run is not None:
            return self.tensor.with_shape(shape)
        return laid_out(self.tensor, shape.head, tuple(self.strides))

    def _gathered(self) -> TensorSpec:
        covered: list[int] = []
        shapes: list[Shape] = []
        for place, item in self.indices.items():
            if item.dtype in MASKS:
                covered += self._masked(place, item)
                shapes.append(Shape((unknown("selected", low=0),)))
            elif item.dtype is None:
                if item.rank != 1:
                    raise Unanswered("index of unknown dtype")
                covered.append(place)
                shapes.append(Shape((unknown("selected", low=0),)))
            else:
                covered.append(place)
                shapes.append(item.shape)
        picked = _broadcast(shapes)
        if any(self.axes[place] == 0 for place in covered) and picked.run is None:
            self._need_elements(picked)
        return self._placed(covered, picked)

    def _masked(self, place: int, mask: TensorSpec) -> list[int]:
        for axis, size in enumerate(mask.dims):
            expected = self.axes[place + axis]
            assert not isinstance(expected, VariadicAxes)
            message = f"expected dimension {axis} of the mask to be {expected}, got {size} (mask of shape {mask.shape})"
            need_equal(size, expected, message)
        return list(range(place, place + (mask.rank or 1)))

    def _need_elements(self, picked: Shape) -> None:
        if all(at_least(size, 1) for size in picked.head):
            raise ShapeError("index is out of range for a dimension of size 0")

    def _placed(self, covered: list[int], picked: Shape) -> TensorSpec:
        first, last = min(covered), max(covered)
        between = [self.axes[place] for place in range(first, last) if place not in covered]
        runs = [axis for axis in self.axes if isinstance(axis, VariadicAxes)]
        if (between and all(isinstance(axis, VariadicAxes) for axis in between)) or (runs and picked.run is not None):
            raise Unanswered("position of the indexed dimensions in a tensor of unknown rank")
        rest = [axis for place, axis in enumerate(self.axes) if place not in covered]
        start = 0 if between else first
        run = [] if picked.run is None else [picked.run]
        shape = _shape([*rest[:start], *picked.head, *run, *picked.tail, *rest[start:]])
        if self.listed and shape.run is None and all(at_least(size, 1) for size in shape.head):
            for place, size in self.listed:  # torch checks them only if there are elements to select
                need_in_range(place, size)
        # The stride of a dimension of 1 may equal another one's, and torch then changes their order.
        plain = 1 not in (*self.tensor.shape.head, *self.axes)
        plain = plain and all(one.layout == "contiguous" for one in (self.tensor, *self.indices.values()))
        return self.tensor.with_shape(shape, "contiguous" if plain and shape.run is None else "unknown")


def _open_parts(
    shape: Shape, before: int, after: int
) -> tuple[Sequence[Size], Sequence[Size | VariadicAxes], Sequence[Size]]:
    """The dimensions before `...`, those that it covers, and those after it, of a shape that has a run."""
    assert shape.run is not None
    head = [shape.size(place) for place in range(before)]
    tail = [shape.size(place) for place in range(-after, 0)]
    first, last = max(before - len(shape.head), 0), max(after - len(shape.tail), 0)
    if (first and shape.tail) or (last and shape.head):
        return (
            head,
            [shape.run.longer(shape.least_rank - before - after)],
            tail,
        )  # a part of the run, perhaps on both sides, and what is next to it
    run = shape.cut(first, last) if first or last else shape.run
    return head, [*shape.head[before:], run, *shape.tail[: max(len(shape.tail) - after, 0)]], tail


def _shape(axes: Sequence[Size | VariadicAxes]) -> Shape:
    sizes = [axis for axis in axes if not isinstance(axis, VariadicAxes)]
    for place, axis in enumerate(axes):
        if isinstance(axis, VariadicAxes):
            return Shape(tuple(sizes[:place]), axis, tuple(sizes[place:]))
    return Shape(tuple(sizes))


def _broadcast(shapes: list[Shape]) -> Shape:
    result = shapes[0]
    for shape in shapes[1:]:
        try:
            result = broadcast_shapes(result, shape)
        except ShapeError as clash:
            shown = ", ".join(map(str, shapes))
            raise ShapeError(f"indices of shapes {shown} do not match: {clash}") from None
    return result
