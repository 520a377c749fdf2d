"""Einstein sums: reads an equation and applies it to operands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, need_equal
from shapecheck.ops.shared.ranks import batches, ranked
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, DType, DTypeError, Shape, ShapeError, Size, TensorSpec, Unanswered, promote, same
from shapecheck.spec.broadcast import broadcast_sizes
from shapecheck.spec.dtype import int64
from shapecheck.spec.presentation import value_text
from shapecheck.spec.strides import not_one

Labels = tuple[str, ...]
"""One label for each dimension, and "..." for the dimensions that an ellipsis covers."""

ELLIPSIS = "..."


@op("einsum", traits=Trait.AUTOCAST | Trait.ONE_DEVICE)
def einsum(*args: Any, path: object = None) -> Tensor:
    """`einsum("ij,jk->ik", a, b)`, `einsum("ij,jk->ik", [a, b])` or `einsum(a, [0, 1], b, [1, 2], [0, 2])`."""
    if len(args) > 1 and isinstance(args[0], str):
        inputs, output = read(args[0])
        operands = tuple(args[1]) if len(args) == 2 and isinstance(args[1], (list, tuple)) else args[1:]
    elif len(args) > 1 and isinstance(args[1], (list, tuple)):
        inputs, output, operands = _sublists(args)
    else:
        raise CallError("expected an equation and operands, or operands each followed by a list of subscripts")
    return contracted(inputs, output, operands)


@lru_cache(maxsize=1 << 10)
def read(equation: str) -> tuple[tuple[Labels, ...], Labels]:
    """The labels of each operand, and of the output; raises CallError where the equation cannot be read."""
    left, arrow, right = equation.partition("->")
    start = 0
    inputs = []
    for text in left.split(","):
        inputs.append(_labels(text, start, equation))
        start += len(text) + 1
    output = _labels(right, len(left) + 2, equation) if arrow else implied_output(inputs)
    _check_output(inputs, output)
    return tuple(inputs), output


def _labels(text: str, start: int, equation: str) -> Labels:
    labels: list[str] = []
    place = 0
    shown = value_text(equation)
    while place < len(text):
        character = text[place]
        if text.startswith(ELLIPSIS, place):
            if ELLIPSIS in labels:
                raise CallError(
                    f"expected at most one ellipsis per operand, got a second at index {start + place} of {shown}"
                )
            labels.append(ELLIPSIS)
            place += 3
            continue
        if character.isascii() and character.isalpha():
            labels.append(character)
        elif character == ".":
            raise CallError(f'expected "..." at index {start + place} of {shown}, got "."')
        elif character != " ":
            raise CallError(f"expected a letter at index {start + place} of {shown}, got {value_text(character)}")
        place += 1
    return tuple(labels)


def implied_output(inputs: Sequence[Labels]) -> Labels:
    """The output of an equation without an arrow: the ellipsis, then each label that occurs once, sorted."""
    counts = Counter(label for labels in inputs for label in labels)
    ellipsis = (ELLIPSIS,) if counts.pop(ELLIPSIS, 0) else ()
    return (*ellipsis, *sorted(label for label, count in counts.items() if count == 1))


def _check_output(inputs: Sequence[Labels], output: Labels) -> None:
    given = {label for labels in inputs for label in labels}
    for index, label in enumerate(output):
        if label in output[:index]:
            raise CallError(f"output subscript {label} appears more than once")
        if label not in given and label != ELLIPSIS:
            raise CallError(f"output subscript {label} does not appear in any operand")


def _sublists(args: tuple[Any, ...]) -> tuple[tuple[Labels, ...], Labels, tuple[Any, ...]]:
    pairs = len(args) // 2
    inputs = tuple(_numbered(args[2 * index + 1]) for index in range(pairs))
    output = _numbered(args[-1]) if len(args) % 2 else implied_output(inputs)
    _check_output(inputs, output)
    return inputs, output, args[: 2 * pairs : 2]


def _numbered(subscripts: Any) -> Labels:
    if not isinstance(subscripts, (list, tuple)):
        raise CallError(f"expected a list of subscripts, got {value_text(subscripts)}")
    labels = []
    for subscript in subscripts:
        if subscript is not ... and not (type(subscript) is int and 0 <= subscript < 52):
            raise CallError(f"expected subscripts between 0 and 51, got {value_text(subscript)}")
        labels.append(ELLIPSIS if subscript is ... else chr(subscript + (65 if subscript < 26 else 71)))
    return tuple(labels)


def contracted(inputs: Sequence[Labels], output: Labels, operands: Sequence[Any]) -> Tensor:
    """The sum over the labels that are not in the output; raises ShapeError if an operand does not match its labels."""
    if len(inputs) != len(operands):
        raise CallError(f"expected the number of operands to be {len(inputs)}, got {len(operands)}")
    tensors = [_tensor(operand, index) for index, operand in enumerate(operands)]
    sizes: dict[str, Size] = {}
    covered: list[Shape] = []
    own: list[dict[str, Size]] = []
    for index, (labels, tensor) in enumerate(zip(inputs, tensors, strict=True)):
        named, hidden = _named(labels, tensor, index)
        own.append(named)
        for label, size in named.items():
            sizes[label] = _together(label, sizes.get(label, size), size, index, labels, tensor)
        if hidden is not None:
            covered.append(hidden)
    ellipsis = batches("the ellipsis", *covered) if covered else Shape()
    dtype = _dtype(tensors, inputs, output, own)
    layout = "contiguous" if not output else "unknown"
    return TensorSpec.make(_result(output, sizes, ellipsis), dtype, layout, tensors[0].device)  # type: ignore[arg-type]


def _tensor(operand: Any, index: int) -> Tensor:
    if isinstance(operand, TensorSpec):
        return operand
    if isinstance(operand, Unknown):
        return TensorSpec.anything()
    raise CallError(f"expected operand {index} to be a tensor, got {value_text(operand)}")


def _named(labels: Labels, tensor: Tensor, index: int) -> tuple[dict[str, Size], Shape | None]:
    """The size of each label of one operand, and the shape that its ellipsis covers."""
    if ELLIPSIS not in labels:
        dims, hidden = _all_named(labels, tensor, index), None
    else:
        dims, hidden = _around(labels, tensor, index)
    named: dict[str, Size] = {}
    for label, size in zip((label for label in labels if label != ELLIPSIS), dims, strict=True):
        if label in named:
            first = named[label]
            message = f"expected equal sizes for subscript {label} in operand {index}, got {first} and {size}"
            need_equal(first, size, message)
        else:
            named[label] = size
    return named, hidden


def _text(labels: Labels) -> str:
    return f'"{"".join(labels)}"'


def _all_named(labels: Labels, tensor: Tensor, index: int) -> tuple[Size, ...]:
    if tensor.rank is not None and tensor.rank != len(labels):
        raise ShapeError(f"expected operand {index} ({_text(labels)}) to be {len(labels)}-D, got shape {tensor.shape}")
    return ranked(tensor, len(labels), f"operand {index}")


def _around(labels: Labels, tensor: Tensor, index: int) -> tuple[tuple[Size, ...], Shape]:
    shape = tensor.shape
    before = labels.index(ELLIPSIS)
    after = len(labels) - before - 1
    if shape.rank is not None and shape.rank < before + after:
        raise ShapeError(
            f"expected operand {index} ({_text(labels)}) to be at least {before + after}-D, got shape {shape}"
        )
    dims = (*(shape.size(place) for place in range(before)), *(shape.size(place) for place in range(-after, 0)))
    for _ in range(before):
        shape = shape.without(0)
    for _ in range(after):
        shape = shape.without(-1)
    return dims, shape


def _together(label: str, seen: Size, size: Size, index: int, labels: Labels, tensor: Tensor) -> Size:
    both = broadcast_sizes(seen, size)
    if both is None:
        raise ShapeError(
            f"expected subscript {label} of operand {index} ({_text(labels)}) to be {seen}, got {size} "
            f"(shape {tensor.shape})"
        )
    if both not in (seen, size):  # a size other than 1 only broadcasts with itself and 1
        return seen if not_one(seen) else size if not_one(size) else both
    return both


def _result(output: Labels, sizes: dict[str, Size], ellipsis: Shape) -> Shape:
    if ELLIPSIS not in output:
        return Shape(tuple(sizes[label] for label in output))
    before, after = output[: output.index(ELLIPSIS)], output[output.index(ELLIPSIS) + 1 :]
    head = (*(sizes[label] for label in before), *ellipsis.head)
    tail = (*ellipsis.tail, *(sizes[label] for label in after))
    return Shape(head, ellipsis.run, tail) if ellipsis.run is not None else Shape(head + tail)


def _dtype(
    tensors: Sequence[Tensor], inputs: Sequence[Labels], output: Labels, own: Sequence[dict[str, Size]]
) -> DType | None:
    """Sums of ints are int64; matrix products keep the common dtype of their operands; others promote."""
    dtypes = {tensor.dtype for tensor in tensors}
    if None in dtypes:
        return None
    first = tensors[0].dtype
    summed = {label for labels in inputs for label in labels} - set(output)
    assert first is not None
    if len(dtypes) == 1 and (not summed or first.is_floating or first.is_complex):
        return first
    if not summed:
        for tensor in tensors[1:]:
            first = promote(first, tensor.dtype)  # type: ignore[arg-type]
        return first
    if len(tensors) == 1 or dtypes == {int64}:
        return int64
    return _dtype_of_pair(tensors, summed, own) if len(tensors) == 2 and ELLIPSIS not in summed else None


def _of_sum(dtype: DType | None) -> DType | None:
    return dtype if dtype is None or dtype.is_floating or dtype.is_complex else int64


def _dtype_of_pair(tensors: Sequence[Tensor], summed: set[str], own: Sequence[dict[str, Size]]) -> DType | None:
    # A dimension of one operand is summed before the product; a shared dimension is summed by a matrix product.
    dtypes = [tensor.dtype for tensor in tensors]
    shared = False
    for label in summed:
        here = [label in named and same(named[label], 1) for named in own]
        there = [label in named and not_one(named[label]) for named in own]
        if all(there):
            shared = True
        elif any(there) and None not in here:
            side = there.index(True)
            dtypes[side] = _of_sum(dtypes[side])
        elif None in here:
            return None
    left, right = dtypes
    if left is None or right is None or not shared:
        return None if left is None or right is None else promote(left, right)
    if left is not right:
        raise DTypeError(f"expected both operands to have the same dtype, got {left} and {right}")
    if left.kind == "bool":
        raise Unanswered("einsum of bool tensors")
    return left
