"""In which order the elements of merged dimensions are: the rows of `x.repeat(k, 1)` are ordered (k, rows).

The rows of `x.repeat_interleave(k, 0)` have the same number, but are ordered (rows, k). The order is known from the
operators that made a tensor: they join, repeat, merge, split and move dimensions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final

from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.spec import Dim, Size, TensorSpec, same
from shapecheck.spec.dim import terms_of
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._earlier_views import transposed
from shapecheck.static.rules._normalizations import name_of

Axis = tuple[Size, ...]
"""The sizes of which a dimension is the product, the outer one first."""
Order = tuple[Axis, ...]
_MOST_HOPS: Final = 24
_ELEMENTWISE: Final = """
    == != < <= > >= eq ne lt le gt ge logical_not bitwise_not ~
    add sub subtract mul multiply div divide true_divide pow + - * / ** softmax log_softmax normalize layer_norm
    dropout masked_fill leaky_relu elu selu softplus sqrt rsqrt square type type_as to float half double bfloat16
    contiguous clone detach expand expand_as
""".split()
"""What keeps the dimensions of its first argument."""
_LAYERS: Final = frozenset(
    """
    Identity Dropout ReLU ReLU6 LeakyReLU ELU SELU GELU SiLU Mish Sigmoid Tanh Softplus Softmax LogSoftmax LayerNorm
    RMSNorm Linear
    """.split()
)
"""Layers that keep all dimensions but the last one."""


def is_product(size: Size) -> bool:
    """Whether a size may be that of merged dimensions: a product with a size that is not known."""
    if not isinstance(size, Dim) or len(terms := terms_of(size)) != 1:
        return False
    ((factors, number),) = terms.items()
    return number > 1 or sum(power for _, power in factors) > 1


def order_of(run: Run, value: TensorSpec, hops: int = _MOST_HOPS) -> Order:
    """The order of the elements of each dimension of a tensor of known rank, as far as its origin is known."""
    plain = _plain(value)
    made = run.origins.of_tensor(value) if hops else None
    if made is None or not made.args:
        return plain
    name = name_of(made)
    if isinstance(made.callee, ModuleSpec):
        source = made.args[0]
        if not isinstance(source, TensorSpec) or source.rank != value.rank:
            return plain
        kept = _where_equal(order_of(run, source, hops - 1), value) if name in _LAYERS else plain
        return (*kept[:-1], *plain[-1:]) if name == "Linear" else kept  # which combines all features
    rule = _RULES.get(name, _source if name in names_with(Trait.KEEPS_AXES) else None)
    found = rule(run, made, hops - 1) if rule is not None else None
    return plain if found is None or len(found) != len(plain) else _where_equal(found, value)


def _plain(value: TensorSpec) -> Order:
    return tuple((one,) for one in value.dims)


def _where_equal(order: Order, value: TensorSpec) -> Order:
    """The order of the dimensions whose size is that of the value."""
    return tuple(
        axis if same(prod(axis), size) is True else (size,) for axis, size in zip(order, value.dims, strict=True)
    )


_Rule = Callable[[Run, TensorOrigin, int], Order | None]


def _source(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    """That of the first argument; of a result whose dimensions are those of its argument, the rule."""
    source = made.args[0]
    return order_of(run, source, hops) if isinstance(source, TensorSpec) and source.rank else None


def _reshaped(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    source = _source(run, made, hops)
    if source is None or not isinstance(made.value, TensorSpec) or not made.value.rank:
        return None
    return _regrouped([size for axis in source for size in axis], list(made.value.dims))


def _regrouped(factors: Sequence[Size], sizes: Sequence[Size]) -> Order:
    """Sizes as products of the factors, which are in the same order; those that are not stay as they are."""
    factors = [one for one in factors if one != 1]
    found: list[Axis] = []
    start = 0
    for at, size in enumerate(sizes):
        stop = next((end for end in range(start, len(factors) + 1) if same(prod(factors[start:end]), size) is True), -1)
        if stop < 0:
            return (*found, *_from_the_end(factors[start:], sizes[at:]))
        found.append(tuple(factors[start:stop]) or (size,))
        start = stop
    return tuple(found)


def _from_the_end(factors: Sequence[Size], sizes: Sequence[Size]) -> Order:
    """The same for the last sizes, where the first ones split a factor."""
    found: list[Axis] = []
    stop = len(factors)
    for at in range(len(sizes) - 1, -1, -1):
        size = sizes[at]
        start = next((one for one in range(stop, -1, -1) if same(prod(factors[one:stop]), size) is True), -1)
        if start < 0:
            found += [(one,) for one in reversed(sizes[: at + 1])]
            break
        found.append(tuple(factors[start:stop]) or (size,))
        stop = start
    return tuple(reversed(found))


def _transposed(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    source = _source(run, made, hops)
    moved = None if source is None else transposed(made, name_of(made), len(source))
    return None if source is None or moved is None else tuple(source[axis] for axis in moved)


def _repeated(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    source = _source(run, made, hops)
    given = made.args[1] if len(made.args) == 2 and isinstance(made.args[1], tuple) else made.args[1:]
    times = [one for one in given if isinstance(one, (int, Dim)) and not isinstance(one, bool)]
    if source is None or made.kwargs or len(times) < max(len(given), len(source)):
        return None
    new = len(times) - len(source)
    kept = (
        axis if number == 1 else _without_one(number, *axis) for number, axis in zip(times[new:], source, strict=True)
    )
    return (*((number,) for number in times[:new]), *kept)


def _interleaved(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    source = _source(run, made, hops)
    number = made.args[1] if len(made.args) > 1 else made.kwargs.get("repeats")
    axis = _index(made, 2, len(source or ()))
    if source is None or axis is None or not isinstance(number, (int, Dim)):
        return None
    return (*source[:axis], _without_one(*source[axis], number), *source[axis + 1 :])


def _joined(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    """Of `cat`: the parts first, if they have one size."""
    items = _items(made)
    first = items[0] if items else None
    if first is None or not first.rank:
        return None
    axis = _index(made, 1, first.rank, 0)
    if axis is None or any(one.rank != first.rank or one.dims[axis] != first.dims[axis] for one in items):
        return None
    order = order_of(run, first, hops)
    return (*order[:axis], _without_one(len(items), *order[axis]), *order[axis + 1 :])


def _stacked(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    items = _items(made)
    if not items or items[0].rank is None:
        return None
    axis = _index(made, 1, items[0].rank + 1, 0)
    order = order_of(run, items[0], hops)
    return None if axis is None else (*order[:axis], (len(items),), *order[axis:])


def _multiplied(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    left, right = (made.args[at] if len(made.args) > at else None for at in (0, 1))
    if not isinstance(left, TensorSpec) or not isinstance(right, TensorSpec):
        return None
    if not left.rank or left.rank != right.rank or left.rank < 2:
        return None
    return (*order_of(run, left, hops)[:-1], order_of(run, right, hops)[-1])


def _reduced(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    source = _source(run, made, hops)
    axis = _index(made, 1, len(source or ()))
    if source is None or axis is None:
        return None
    is_kept = made.kwargs.get("keepdim", made.args[2] if len(made.args) > 2 else False) is True
    return (*source[:axis], *([(1,)] if is_kept else []), *source[axis + 1 :])


def _diagonal(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    """Of matrices with the elements on their diagonal."""
    source = _source(run, made, hops)
    return None if source is None or len(made.args) > 1 or made.kwargs else (*source, source[-1])


def _indexed(run: Run, made: TensorOrigin, hops: int) -> Order | None:
    """Of slices, numbers and None."""
    source = _source(run, made, hops)
    key = made.args[1] if len(made.args) > 1 else None
    keys = list(key) if isinstance(key, tuple) else [key]
    if source is None or not all(one is None or one is Ellipsis or type(one) in (int, slice) for one in keys):
        return None
    if Ellipsis not in keys:
        keys.append(Ellipsis)
    between = len(source) - sum(one is not None and one is not Ellipsis for one in keys)
    axes = iter(source)
    found: list[Axis] = []
    for one in keys:
        if one is None:
            found.append((1,))
        elif one is Ellipsis:
            found += [next(axes) for _ in range(between)]
        else:
            axis = next(axes)
            found += [axis] if isinstance(one, slice) else []
    return tuple(found)


def _items(made: TensorOrigin) -> list[TensorSpec]:
    given = made.args[0]
    items = given.items if isinstance(given, ListValue) and not given.lost else given
    if not isinstance(items, (tuple, list)):
        return []
    tensors = [one for one in items if isinstance(one, TensorSpec)]
    return tensors if len(tensors) == len(items) else []


def _index(made: TensorOrigin, place: int, rank: int, default: Value = None) -> int | None:
    axis = made.args[place] if len(made.args) > place else made.kwargs.get("dim", default)
    return axis % rank if type(axis) is int and -rank <= axis < rank else None


def _without_one(*sizes: Size) -> Axis:
    kept = tuple(one for one in sizes if one != 1)
    return kept or (1,)


_RULES: Final[dict[str, _Rule]] = {
    **dict.fromkeys(("view", "reshape", "flatten", "unflatten", "squeeze", "unsqueeze"), _reshaped),
    **dict.fromkeys(
        ("transpose", "swapaxes", "swapdims", "permute", "mT", "t", "T", "movedim", "moveaxis"), _transposed
    ),
    **dict.fromkeys(_ELEMENTWISE, _source),
    **dict.fromkeys("sum mean prod amax amin std var norm logsumexp all any argmax argmin".split(), _reduced),
    "__getitem__": _indexed,
    "diag_embed": _diagonal,
    **dict.fromkeys(("repeat", "tile"), _repeated),
    "repeat_interleave": _interleaved,
    **dict.fromkeys(("cat", "concat", "concatenate"), _joined),
    "stack": _stacked,
    **dict.fromkeys(("chunk", "split", "tensor_split"), _source),  # but the dimension that is split
    **dict.fromkeys(("matmul", "bmm", "@", "__matmul__"), _multiplied),
}
