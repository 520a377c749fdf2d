"""einops: rearrange, reduce, repeat and einsum, exactly.

einops reshapes to single axes, transposes, reduces or expands, and reshapes to groups; the sizes and the layout follow
from these steps. Source: https://einops.rocks/api/rearrange/.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from shapecheck.ops.assumptions import has_shape
from shapecheck.ops.registry import op
from shapecheck.ops.rules.axes import permuted
from shapecheck.ops.rules.join import stack
from shapecheck.ops.rules.views import reshape
from shapecheck.ops.shared.arguments import Tensor, need_equal, size
from shapecheck.ops.shared.dtypes import promoted
from shapecheck.ops.shared.einops_pattern import ELLIPSIS, Group, Name, Side, parse
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import (
    CallError,
    DType,
    DTypeError,
    Layout,
    Shape,
    ShapeError,
    Size,
    TensorSpec,
    VariadicAxes,
    quotient,
    same,
    unknown,
)
from shapecheck.spec.dtype import bool_, int64
from shapecheck.spec.presentation import value_text

Known = dict[Name, Size]
Piece = Size | VariadicAxes


@op("einops.rearrange", traits=Trait.RESHAPES)
def rearrange(tensor: Tensor | Sequence[Tensor], pattern: str, **axes_lengths: Any) -> Tensor:
    """Axes in another order, split and joined: `b (h w) c -> b c h w`."""
    left, right = parse(pattern)
    if left.numbers or right.numbers:
        raise CallError(f"expected no number other than 1 in the pattern, got {value_text(pattern)}")
    one_sided = set(left.names) ^ set(right.names)
    if one_sided:
        raise CallError(_missing("on both sides", pattern, one_sided))
    found = _Axes(_one(tensor), left, right, axes_lengths, pattern)
    return found.moved(right)


@op("einops.repeat")
def repeat(tensor: Tensor | Sequence[Tensor], pattern: str, **axes_lengths: Any) -> Tensor:
    """New axes: `h w -> h w c` with c=3, `h w -> (h 2) w`."""
    left, right = parse(pattern)
    lost = set(left.names) - set(right.names)
    if lost:
        raise CallError(_missing("on the right", pattern, lost) + "; use reduce to remove an axis")
    found = _Axes(_one(tensor), left, right, axes_lengths, pattern)
    new = {one for one in right.names if one not in left.names}
    if ELLIPSIS in new:
        raise CallError(_missing("on the left", pattern, {ELLIPSIS}))
    if new - set(axes_lengths):
        missing = new - set(axes_lengths)
        raise CallError(f"missing size of {_listed(missing)} in {value_text(pattern)}; pass {_keywords(missing)}")
    if not new and not right.numbers:
        return found.moved(right)
    return found.result(right, found.input.dtype, "unknown")


@op("einops.reduce")
def reduce(tensor: Tensor | Sequence[Tensor], pattern: str, reduction: Any, **axes_lengths: Any) -> Tensor:
    """Reduces the axes that are missing on the right: `b c (h 2) (w 2) -> b c h w`."""
    left, right = parse(pattern)
    strange = set(right.names) - set(left.names)
    if strange:
        raise CallError(_missing("on the left", pattern, strange) + "; use repeat to add an axis")
    found = _Axes(_one(tensor), left, right, axes_lengths, pattern)
    return found.result(right, _reduced(found.input.dtype, reduction), "unknown")


@op("einops.einsum")
def einsum(*tensors_and_pattern: Any) -> Tensor:
    """The sum of products over the axes that are missing on the right: `b i k, b k j -> b i j`."""
    *given, pattern = tensors_and_pattern if tensors_and_pattern else (None,)
    tensors = [_one(one) for one in given]
    if not isinstance(pattern, str):
        raise CallError(f"expected the last argument to be a pattern, got {value_text(pattern)}")
    left, arrow, right = pattern.partition("->")
    if not arrow:
        raise CallError(f'expected "->" in the pattern, got {value_text(pattern)}')
    sides = [Side(one) for one in left.split(",")]
    if len(sides) != len(tensors):
        raise CallError(
            f"expected the number of tensors for {value_text(pattern)} to be {len(sides)}, got {len(tensors)}"
        )
    result = Side(right)
    for side in (*sides, result):
        if any(len(group) != 1 or isinstance(group[0], int) for group in side.groups):
            raise CallError(f"expected no parentheses and no numbers in the pattern, got {value_text(pattern)}")
    known: Known = {}
    runs: list[tuple[Piece, ...]] = []
    for tensor, side in zip(tensors, sides, strict=True):
        _meet(_Axes(tensor, side, side, {}, pattern), side, known, runs)
    lacking = [name for name in result.names if name not in known and name != ELLIPSIS]
    if lacking:
        raise CallError(_missing("on the left", pattern, lacking))
    hidden = _broadcast_runs(runs)
    pieces = [piece for (name,) in result.groups for piece in (hidden if name == ELLIPSIS else (known[name],))]
    return TensorSpec.make(_shape(pieces), promoted(*tensors), "unknown", tensors[0].device)


def _meet(axes: _Axes, side: Side, known: Known, runs: list[tuple[Piece, ...]]) -> None:
    for name in side.names:
        if name == ELLIPSIS:
            runs.append(axes.hidden)
        elif name in known:
            ours = axes.known[name]
            if known[name] == 1:  # it broadcasts, as in torch.einsum, which einops calls
                known[name] = ours
            elif ours != 1:
                message = f"expected axis {name} to have the same size in all tensors, got {known[name]} and {ours}"
                need_equal(known[name], ours, message)
        else:
            known[name] = axes.known[name]


def _broadcast_runs(runs: list[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    from shapecheck.spec import broadcast  # noqa: PLC0415 - einsum alone needs it

    if not runs:
        return ()
    shape = broadcast(*(_shape(run) for run in runs)).shape
    return shape.head if shape.run is None else (*shape.head, shape.run, *shape.tail)


class _Axes:
    """The single axes of a tensor under the left side of a pattern: their sizes by name, and the axes of `...`."""

    def __init__(self, tensor: TensorSpec, left: Side, right: Side, lengths: Mapping[str, Any], pattern: str) -> None:
        if left.nested:
            raise CallError(f"expected ... outside of parentheses on the left of {value_text(pattern)}")
        self.input = tensor
        self.left = left
        self.known: Known = {}
        for name, length in lengths.items():
            if name not in left.names and name not in right.names:
                raise CallError(f'got an unexpected keyword argument "{name}": no such axis in {value_text(pattern)}')
            self.known[name] = size(length)
        self.hidden: tuple[Piece, ...] = ()
        self._read(pattern)

    def _read(self, pattern: str) -> None:
        groups = self.left.groups
        shape = self.input.shape
        at = groups.index((ELLIPSIS,)) if (ELLIPSIS,) in groups else None
        shown = len(groups) if at is None else len(groups) - 1
        rank = shape.rank
        fits = shape.least_rank <= shown if rank is None else rank == shown
        if not fits if at is None else rank is not None and rank < shown:
            expected = f"to be {shown}-D" if at is None else f"to be at least {shown}-D"
            raise ShapeError(f"expected the input {expected} for {value_text(pattern)}, got shape {shape}")
        if at is None:
            dims = [
                self._found(group, _either(shape, index, len(groups)), pattern) for index, group in enumerate(groups)
            ]
            has_shape(shape, Shape(tuple(dims)))
            return
        after = len(groups) - at - 1
        head = [self._found(groups[index], shape.at(index), pattern) for index in range(at)]
        tail = [self._found(groups[index], shape.at(index), pattern) for index in range(-after, 0)]
        self.hidden = _between(shape, at, after)
        if len(shape.head) <= at and len(shape.tail) <= after and shown > shape.least_rank:
            has_shape(shape, _shape([*head, *self.hidden, *tail]))

    def _found(self, group: Group, length: Size | None, pattern: str) -> Size:
        """The size of an axis, from its parts if it is hidden."""
        if length is not None:
            self._learn(group, length, pattern)
            return length
        names = [one for one in group if isinstance(one, str) and one not in self.known]
        if len(names) != 1:
            length = self._product(group) if not names else unknown(low=0)
            self._learn(group, length, pattern)
            return length
        self.known[names[0]] = unknown(names[0].strip("_"), low=0)
        return self._product(group)

    def _learn(self, group: Group, length: Size, pattern: str) -> None:
        shown = "(" + " ".join(map(str, group)) + ")" if len(group) != 1 else str(group[0])
        open_names = [one for one in group if isinstance(one, str) and one not in self.known]
        if len(open_names) > 1:
            names = " and ".join(open_names)
            raise CallError(
                f"cannot infer {names} in {shown} of {value_text(pattern)}; pass {_keywords(open_names[1:])}"
            )
        where = f"axis {shown} of {value_text(pattern)}"
        got = f"got {length} (input of shape {self.input.shape})"
        product = prod(one if isinstance(one, int) else self.known[one] for one in group if one not in open_names)
        if not open_names:
            need_equal(length, product, f"expected {where} to be {product}, {got}")
            return
        if same(product, 0):
            raise ShapeError(f"cannot split {where} by 0")
        if same(length % product, 0) is False:
            raise ShapeError(f"expected {where} to be divisible by {product}, {got}")
        self.known[open_names[0]] = quotient(length, product)

    def moved(self, right: Side) -> TensorSpec:
        """The tensor with the axes of the right side; a view where torch can create one."""
        if self.input.rank is None:
            return self.result(right, self.input.dtype, "unknown")
        single = [one for group in self.left.groups for one in self._single(group)]
        order = [single.index(one) for group in right.groups for one in self._single(group)]
        split = self._unless_equal(self.input, [self._size(one) for one in single])
        return self._unless_equal(permuted(split, order) if order != sorted(order) else split, self._sizes(right))

    def _unless_equal(self, tensor: TensorSpec, dims: Sequence[Size]) -> TensorSpec:
        return tensor if tensor.shape == tuple(dims) else reshape(tensor, tuple(dims))

    def _single(self, group: Group) -> list[Any]:
        return [
            part
            for one in group
            if one != 1
            for part in ([("hidden", index) for index in range(len(self.hidden))] if one == ELLIPSIS else [one])
        ]

    def _size(self, single: Any) -> Any:
        return self.hidden[single[1]] if isinstance(single, tuple) else self.known[single]

    def _sizes(self, side: Side) -> list[Size]:
        return list(_shape(self._pieces(side)).dims)

    def result(self, right: Side, dtype: DType | None, layout: Layout) -> TensorSpec:
        """A tensor with the axes of the right side."""
        return TensorSpec.make(_shape(self._pieces(right)), dtype, layout, self.input.device)

    def _pieces(self, side: Side) -> list[Piece]:
        pieces: list[Piece] = []
        for group in side.groups:
            if group == (ELLIPSIS,):
                pieces += self.hidden
            else:
                pieces.append(self._product(group))
        return pieces

    def _product(self, group: Group) -> Size:
        parts: list[Piece] = []
        for one in group:
            parts += self.hidden if one == ELLIPSIS else (one if isinstance(one, int) else self.known[one],)
        if any(isinstance(part, VariadicAxes) for part in parts):
            return unknown(low=0)
        return prod(parts)  # type: ignore[arg-type]  # no run among them


def _either(shape: Shape, index: int, rank: int) -> Size | None:
    """The size of an axis by its index from either end, None if it is hidden."""
    found = shape.at(index)
    return shape.at(index - rank) if found is None else found


def _between(shape: Shape, before: int, after: int) -> tuple[Piece, ...]:
    """The axes of `...`, between so many others.

    An axis that the run hides may, if the run is short, be among those on its other side; the ones beyond are certain.
    """
    head, tail = shape.head, shape.tail
    if shape.run is None:
        return head[before : len(head) - after]
    from_run_first, from_run_last = max(before - len(head), 0), max(after - len(tail), 0)
    run = VariadicAxes() if from_run_first or from_run_last else shape.run
    ahead = head[before : max(len(head) - from_run_last, 0)]
    behind = tail[from_run_first : max(len(tail) - after, 0)]
    return (*ahead, run, *behind)


def _shape(pieces: Sequence[Piece]) -> Shape:
    runs = [index for index, piece in enumerate(pieces) if isinstance(piece, VariadicAxes)]
    if not runs:
        return Shape(tuple(pieces))  # type: ignore[arg-type]  # no run among them
    at = runs[0]
    return Shape(tuple(pieces[:at]), pieces[at], tuple(pieces[at + 1 :]))  # type: ignore[arg-type]  # there is one


def _one(tensor: Any) -> TensorSpec:
    """einops reads a list of tensors as one tensor with an additional first axis."""
    if isinstance(tensor, (list, tuple)):
        return stack(tensor, 0)
    if isinstance(tensor, Unknown):
        return TensorSpec.anything()
    if not isinstance(tensor, TensorSpec):
        raise CallError(f"expected a tensor or a list of tensors, got {value_text(tensor)}")
    return tensor


def _reduced(dtype: DType | None, reduction: Any) -> DType | None:
    if callable(reduction):
        return None
    if reduction not in ("min", "max", "sum", "mean", "prod", "any", "all"):
        names = '"min", "max", "sum", "mean", "prod", "any", "all" or a function'
        raise CallError(f"expected reduction to be {names}, got {value_text(reduction)}")
    if reduction in ("any", "all"):
        return bool_
    if dtype is None:
        return None
    if reduction == "mean" and not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"expected a floating-point or complex dtype for the mean, got {dtype}")
    if reduction in ("sum", "prod") and (dtype.is_integral or dtype is bool_):
        return int64
    return dtype


def _listed(names: Any) -> str:
    return ", ".join(sorted(map(str, names)))


def _missing(where: str, pattern: str, names: Any) -> str:
    return f"expected every axis {where} of {value_text(pattern)}, missing {_listed(names)}"


def _keywords(names: Any) -> str:
    return ", ".join(f"{name}=..." for name in sorted(names))
