"""The memory layout of a tensor: strides in elements, one per axis, possibly symbolic.

What is asked of them is answered as torch answers it (aten/src/ATen/TensorUtils.cpp `computeStride_impl` for views,
c10/core/Contiguity.h for contiguity), with a third answer where the sizes do not tell. The stride of an axis of size 1
has no meaning, and an axis that is known by its name counts as one of more than one element: it can have any
size, so a transposed `(b, h, t, d)` is not contiguous.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapecheck.spec.caching import cached
from shapecheck.spec.dim import Dim, Size, same, unknown
from shapecheck.spec.shape import Shape
from shapecheck.spec.tensor import Layout, TensorSpec
from shapecheck.spec.terms import EXACT, NAME, Atom, Terms

Strides = tuple[Size, ...]
_MOST_AXES = 64
"""Of more axes no strides are kept: they do not occur, and the questions asked here grow with their square."""
_CHANNELS_LAST = {4: (1, 3, 2, 0), 5: (1, 4, 3, 2, 0)}


def numel(sizes: Iterable[Size]) -> Size:
    """The number of elements of a tensor of these sizes."""
    number, names = 1, 0
    symbolic: Size | None = None
    for size in sizes:
        if type(size) is int:
            number *= size
        else:
            symbolic = size if symbolic is None or names > _MOST_AXES else symbolic * size
            names += 1
    if names > _MOST_AXES and number:
        return unknown(low=0)
    if symbolic is None or number == 0:
        return number
    return symbolic if number == 1 else symbolic * number


def contiguous_strides(sizes: Sequence[Size]) -> Strides:
    """The strides of a new tensor: the last axis is dense, each other one spans those after it."""
    stride: Size = 1
    strides: list[Size] = []
    for size in reversed(sizes):
        strides.append(stride)
        if size not in (0, 1):
            stride = size * stride
    strides.reverse()
    return tuple(strides)


def channels_last_strides(sizes: Sequence[Size]) -> Strides | None:
    """The strides of torch.channels_last (4 axes) or channels_last_3d (5); None for another number of axes."""
    order = _CHANNELS_LAST.get(len(sizes))
    return None if order is None else _dense_strides(sizes, order)


def _dense_strides(sizes: Sequence[Size], order: Iterable[int]) -> Strides:
    """The strides of a tensor without gaps whose dimensions are in this order, the innermost first."""
    strides: list[Size] = [1] * len(sizes)
    stride: Size = 1
    for axis in order:
        strides[axis] = stride
        if sizes[axis] != 1 and sizes[axis] != 0:
            stride = sizes[axis] * stride
    return tuple(strides)


def strides_of(tensor: TensorSpec) -> Strides | None:
    """The tensor's strides, None where they are not known."""
    if tensor.strides is not None or tensor.shape.run is not None or len(tensor.shape.head) > _MOST_AXES:
        return tensor.strides
    if tensor.layout == "contiguous":
        return contiguous_strides(tensor.shape.head)
    return channels_last_strides(tensor.shape.head) if tensor.layout == "channels_last" else None


def layout_of(sizes: Sequence[Size], strides: Strides) -> Layout:
    """The layout of a tensor with these sizes and strides; "unknown" if it depends on sizes that are not known."""
    contiguous = is_dense_in_order(sizes, strides, range(len(sizes) - 1, -1, -1))
    if contiguous:
        return "contiguous"
    order = _CHANNELS_LAST.get(len(sizes))
    if contiguous is None:
        return "unknown"
    if order is None:
        return "non-contiguous"
    channels_last = is_dense_in_order(sizes, strides, order)
    if channels_last is None:
        return "unknown"
    return "channels_last" if channels_last else "non-contiguous"


def is_dense_in_order(sizes: Sequence[Size], strides: Strides, order: Iterable[int]) -> bool | None:
    """Whether the elements lie side by side with the axes in this order, the innermost first; None: not known."""
    if 0 in sizes:
        return True
    expected: Size = 1
    verdict: bool | None = True
    for axis in order:
        size, stride = sizes[axis], strides[axis]
        if size == 1:
            continue
        if stride != expected:
            equal = same(stride, expected)
            if equal is False or (not equal and differs(stride, expected)):
                if not_one(size):
                    return False
                verdict = None
            elif equal is None:
                verdict = None
        expected = size if expected == 1 else expected * size
    return verdict


def laid_out(tensor: TensorSpec, sizes: tuple[Size, ...], strides: Strides | None) -> TensorSpec:
    """A view of the tensor with these sizes and strides (None: not known)."""
    if strides is None or len(sizes) > _MOST_AXES:
        return TensorSpec.make(Shape(sizes), tensor.dtype, "unknown", tensor.device)
    layout = layout_of(sizes, strides)
    told = (layout == "contiguous" and strides == contiguous_strides(sizes)) or (
        layout == "channels_last" and strides == channels_last_strides(sizes)
    )
    return TensorSpec.make(Shape(sizes), tensor.dtype, layout, tensor.device, None if told else strides)


def preserved(tensor: TensorSpec) -> TensorSpec:
    """A new tensor of the same shape as `memory_format=torch.preserve_format` lays it out (clone, pointwise results).

    A tensor without gaps or overlaps keeps its strides; of any other only the order of its axes is kept.
    """
    if tensor.layout in ("contiguous", "channels_last") or tensor.shape.run is not None:
        return tensor
    strides = tensor.strides
    order = None if strides is None else _axes_by_stride(tensor.shape.head, strides)
    if strides is None or order is None:
        return tensor.with_layout("unknown")
    dense = is_dense_in_order(tensor.shape.head, strides, order)
    if dense is None:
        return tensor.with_layout("unknown")
    return laid_out(tensor, tensor.shape.head, strides if dense else _dense_strides(tensor.shape.head, order))


def _axes_by_stride(sizes: Sequence[Size], strides: Strides) -> list[int] | None:
    """The axes from the innermost to the outermost; None where their order is not known.

    Axes that a broadcast expanded (stride 0) stay where they are, as at::infer_dense_strides has it.
    """
    if any(type(size) is not int for size in (*sizes, *strides)):
        return _symbolic_order(sizes, strides)
    order = list(range(len(sizes) - 1, -1, -1))
    # Not a stable sort with a key: strides of 0 are ambiguous and must not be moved past.
    for index in range(1, len(order)):
        at = index
        for below in range(index - 1, -1, -1):
            verdict = _swaps(sizes, strides, order[below], order[at])
            if verdict > 0:
                order[below], order[at] = order[at], order[below]
                at = below
            elif verdict < 0:
                break
    return order


def _swaps(sizes: Sequence[Size], strides: Strides, inner: int, outer: int) -> int:
    """1 where `inner` lies outside of `outer`, -1 where they are in order, 0 where an expanded axis leaves it open."""
    one, other = int(strides[inner]), int(strides[outer])  # type: ignore[arg-type]  # ints, the caller looked
    if one == 0 or other == 0:
        return 0
    if one != other:
        return -1 if one < other else 1
    return 1 if int(sizes[inner]) > int(sizes[outer]) else 0  # type: ignore[arg-type]


def _symbolic_order(sizes: Sequence[Size], strides: Strides) -> list[int] | None:
    """The order in which the axes follow each other without a gap, found by walking; None where there is a gap."""
    left = [axis for axis, size in enumerate(sizes) if size != 1]
    order: list[int] = [axis for axis, size in enumerate(sizes) if size == 1]
    expected: Size = 1
    while left:
        found = next((axis for axis in left if strides[axis] == expected), None)
        if found is None:
            return None
        left.remove(found)
        order.append(found)
        expected = expected * sizes[found]
    return order


def not_one(size: Size) -> bool:
    """Whether the size is another than 1, a size that is known by name counting as any."""
    return size != 1 if type(size) is int else differs(size, 1)


def differs(left: Size, right: Size) -> bool:
    """Whether two sizes are different: provably, or one is a multiple of the other by axes that are known by name."""
    if type(left) is int and type(right) is int:
        return left != right
    return _differs(left, right)


@cached(1 << 12)
def _differs(left: Size, right: Size) -> bool:
    known = same(left, right)
    return not known if known is not None else _is_multiple(left, right)


def _is_multiple(left: Size, right: Size) -> bool:
    one, other = _factors(left), _factors(right)
    if one is None or other is None:
        return False
    powers = one[1]
    for atom, power in other[1].items():
        powers[atom] = powers.get(atom, 0) - power
    left_over = {atom: power for atom, power in powers.items() if power}
    if not left_over or any(atom.kind != NAME or not atom.scope for atom in left_over):
        return False
    if all(power > 0 for power in left_over.values()):
        return one[0] >= other[0]
    return one[0] <= other[0] and all(power < 0 for power in left_over.values())


def _factors(size: Size) -> tuple[int, dict[Atom, int]] | None:
    """A size that is one product, as its coefficient and the powers of its factors, quotients as negative ones."""
    if not isinstance(size, Dim):
        return size, {}
    found: tuple[int, dict[Atom, int]] | None = _factors_of(size.terms)
    return found


def _factors_of(terms: Terms) -> tuple[int, dict[Atom, int]] | None:
    if len(terms) != 1:
        return None
    ((monomial, coefficient),) = terms.items()
    powers: dict[Atom, int] = {}
    for atom, power in monomial:
        for factor, raised in _parts(atom).items():
            powers[factor] = powers.get(factor, 0) + power * raised
    return coefficient, powers


def _parts(atom: Atom) -> dict[Atom, int]:
    """An exact quotient of two plain products as the powers of its factors; anything else is its own factor."""
    if atom.kind != EXACT:
        return {atom: 1}
    above, below = _factors_of(atom.args[0]), _factors_of(atom.args[1])
    if above is None or below is None or above[0] != 1 or below[0] != 1:
        return {atom: 1}
    powers = above[1]
    for factor, power in below[1].items():
        powers[factor] = powers.get(factor, 0) - power
    return powers
