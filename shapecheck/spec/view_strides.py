"""The strides of a view with other sizes, where a view is possible."""

from __future__ import annotations

from shapecheck.spec.dim import Size, same
from shapecheck.spec.strides import Strides, contiguous_strides, differs, not_one, numel


class Blocked:
    """Why there is no such view: axes `upper` and `lower` are not adjacent in memory, and the new shape joins them."""

    __slots__ = ("lower", "upper")

    def __init__(self, upper: int, lower: int) -> None:
        self.upper = upper
        self.lower = lower


def view_strides(sizes: Strides, strides: Strides, new: Strides) -> Strides | Blocked | None:
    """The strides of a view of shape `new`: torch's `computeStride`, three-valued.

    sizes, strides: of the tensor; new: the same number of elements, which the caller has made sure of.
    Returns Blocked where there is no such view, None if that depends on unknown sizes.
    """
    if 0 in sizes or 0 in new:
        return strides if sizes == new else contiguous_strides(new)
    if not sizes:
        return (1,) * len(new)
    gaps = _gaps(sizes, strides)
    after = _products_after(new)
    cuts: list[int] = []
    impossible, blocked = False, 0
    for upper, certain in gaps:
        cut = _cut(numel(sizes[upper + 1 :]), numel(sizes[: upper + 1]), new, after)
        if cut is False and certain:
            impossible = True
        if type(cut) is not int and certain:
            blocked = upper  # the outermost one is named
        cuts.append(cut if type(cut) is int else -1)
    if impossible:
        return Blocked(blocked, next(axis for axis in range(blocked + 1, len(sizes)) if sizes[axis] != 1))
    if -1 in cuts:
        return None
    return _chunk_strides(new, cuts, [strides[upper] for upper, _ in gaps], strides[-1])


def _gaps(sizes: Strides, strides: Strides) -> list[tuple[int, bool]]:
    """The axes that are not adjacent in memory to the next one, from the last to the first; False: perhaps they are."""
    gaps: list[tuple[int, bool]] = []
    # The strides with which the next axis would be adjacent: several where an axis below may have one element only.
    due: list[Size] = [sizes[-1] * strides[-1]]
    for upper in range(len(sizes) - 2, -1, -1):
        size, stride = sizes[upper], strides[upper]
        if size == 1:
            continue
        if len(due) == 1 and (stride == due[0] or same(stride, due[0])):
            due = [size * stride]
            continue
        certain = not_one(size)
        gaps.append((upper, certain and all(differs(stride, one) for one in due)))
        due = [size * stride] if certain else [*due, size * stride]
    return gaps


def _products_after(sizes: Strides) -> list[Size]:
    products: list[Size] = [1]
    for size in reversed(sizes):
        products.append(products[-1] * size)
    products.reverse()
    return products


def _cut(after: Size, before: Size, new: Strides, products: list[Size]) -> int | bool | None:
    """Where in `new` a cut leaves `after` elements behind it and `before` ahead; False: nowhere, None: not known."""
    verdict: bool | None = False
    ahead: Size = 1
    for place, product in enumerate(products):
        if product == after or ahead == before or same(product, after) or same(ahead, before):
            return place
        if not (differs(product, after) or differs(ahead, before)):
            verdict = None
        if place < len(new):
            ahead = ahead * new[place]
    return verdict


def _chunk_strides(new: Strides, cuts: list[int], bases: list[Size], base: Size) -> Strides:
    """The strides within each stretch between two cuts, the last stretch first."""
    strides: list[Size] = [1] * len(new)
    stride, chunk = base, 0
    for place in range(len(new) - 1, -1, -1):
        while chunk < len(cuts) and place < cuts[chunk]:
            stride = bases[chunk]
            chunk += 1
        strides[place] = stride
        if new[place] != 1:
            stride = stride * new[place]
    return tuple(strides)
