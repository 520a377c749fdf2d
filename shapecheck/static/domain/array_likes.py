"""Array-likes: values whose code uses only what tensors share with the arrays and tables of other libraries.

`x.shape`, `x.reshape(...)` or `x @ y` do not prove that x is a tensor. Such a value is a `TensorSpec` with a mark in
place of its device. What is computed from it in the same way carries the mark, and nothing is reported of it. A
function of torch, a layer, or a method that only tensors have proves that it is a tensor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from shapecheck.ops import Unknown
from shapecheck.spec import DeviceMark, Dim, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ListValue


class ArrayMark(DeviceMark):
    """The mark of an array-like, with the name of the argument that it comes from; all marks are equal."""

    __slots__ = ("argument",)

    def __init__(self, argument: str | None = None) -> None:
        self.argument = argument

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayMark)

    def __hash__(self) -> int:
        return hash(ArrayMark)


def mark_of(value: object) -> ArrayMark | None:
    """The mark of an array-like; None for any other value."""
    return value.device if type(value) is TensorSpec and type(value.device) is ArrayMark else None


def marked(value: TensorSpec, mark: ArrayMark) -> TensorSpec:
    """The array-like of this shape and dtype."""
    return TensorSpec.make(value.shape, value.dtype, device=mark)


def proven(value: TensorSpec) -> TensorSpec:
    """The same value as a tensor, on an unknown device."""
    return TensorSpec.make(value.shape, value.dtype, value.layout, strides=value.strides)


def some_array_like() -> TensorSpec:
    """An array-like of unknown shape, from an unknown source."""
    return marked(TensorSpec.anything(), ArrayMark())


def operands_of(args: Iterable[Value], kwargs: Mapping[str, Value]) -> Iterator[Value]:
    """The arguments of a call, and the items of those that are lists or tuples."""
    for one in (*args, *kwargs.values()):
        items = one.items if isinstance(one, ListValue) else one if type(one) is tuple else (one,)
        yield from items


_SHARED = frozenset(
    """
    T mT H all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate copy
    cumprod cumsum data device diagonal dot dtype dump fill flags flat flatten imag item itemsize max mean min
    nbytes ndim nonzero partition prod ptp put ravel real repeat reshape resize round searchsorted shape size
    sort squeeze std strides sum swapaxes take tobytes tofile tolist trace transpose var view where to float
    half double int long bool cpu cuda type abs add sub subtract mul multiply div divide pow power mod floordiv
    eq ne lt le gt ge apply corr cov cummax cummin diff map median mode quantile sample sign unique unstack
    stack values index sqrt sin cos tan exp log log1p expm1 floor ceil trunc tanh count count_nonzero maximum
    minimum square isna isnan isnull fillna expand split grad requires_grad is_cuda is_sparse name names
    to_dense coalesce log_prob less greater equal equals layout flip roll
    """.split()
)
"""What tensors share with arrays of other libraries, tables, images, distributions, batches, modules, coins or dice."""
_OF_TENSORS_WITH_SIZES = frozenset(("size", "view", "expand"))
"""Of these, the methods that only tensors call with sizes: `x.view(b, -1)`, but not `x.view(dtype)`."""
_SAME_MEANING = frozenset("shape ndim device to float half double reshape swapaxes ravel sqrt exp abs T".split())
"""Of these, what has the same meaning for a tensor."""
_OTHER_THAN_ARRAYS = frozenset(
    "dtype item tolist size data values index map apply name names split data grad flags".split()
)
"""Of these, what need not be an array."""
_UNARY = frozenset(("neg", "positive", "bitwise_not"))
_SUBSCRIPTS = frozenset(("__getitem__", "__setitem__"))
_CONVERSIONS = """
    tensor as_tensor asarray from_numpy from_dlpack is_tensor
    Tensor FloatTensor LongTensor IntTensor DoubleTensor BoolTensor ByteTensor HalfTensor
"""
_FOR_ANY_ARRAY = frozenset(f"torch.{name}" for name in _CONVERSIONS.split())
"""Functions of torch that accept arrays of other libraries."""


def first_mark(args: tuple[Value, ...], kwargs: Mapping[str, Value]) -> ArrayMark | None:
    """The mark of the first array-like among the operands of a call; None if there is none."""
    for one in args:
        if type(one) is TensorSpec:
            if type(one.device) is ArrayMark:
                return one.device
        elif type(one) is tuple or type(one) is ListValue:
            return next((mark for each in operands_of(args, kwargs) if (mark := mark_of(each)) is not None), None)
    return next((mark for one in kwargs.values() if (mark := mark_of(one)) is not None), None) if kwargs else None


def as_tensors(value: Value) -> Value:
    """The value, or a list or tuple, with tensors in place of array-likes."""
    if isinstance(value, TensorSpec):
        return value if mark_of(value) is None else proven(value)
    if type(value) is tuple:
        return tuple(map(as_tensors, value))
    if isinstance(value, ListValue) and any(mark_of(one) is not None for one in value.items):
        return ListValue(tuple(map(as_tensors, value.items)))
    return value


def is_shared_attribute(name: str) -> bool:
    """Whether values other than tensors have this attribute."""
    return name in _SHARED


def is_shared_call(name: object, args: tuple[Value, ...]) -> bool:
    """Whether an operator without a tensor as operand, or a method, exists for values other than tensors, too."""
    if not isinstance(name, str):
        return False
    if not name.startswith("Tensor."):
        if name in _UNARY or name in _SUBSCRIPTS:
            return True
        return not name[0].isalpha() and all(mark_of(one) is not None for one in args if isinstance(one, TensorSpec))
    method = name.removeprefix("Tensor.")
    if method in _OF_TENSORS_WITH_SIZES and any(type(one) is int or isinstance(one, (Dim, tuple)) for one in args[1:]):
        return False
    return method in _SHARED


def proves_tensors(name: object, args: tuple[Value, ...]) -> bool:
    """Whether a call proves that its operands are tensors."""
    if not isinstance(name, str):
        return True
    return not (
        name in _FOR_ANY_ARRAY
        or name.startswith(("einops.", "einx.", "torchvision.transforms."))
        or is_shared_call(name, args)
    )


def result_of_shared(name: str, args: tuple[Value, ...], found: Value, mark: ArrayMark) -> Value:
    """The result of a shared call, given the result that it would have for tensors."""
    method = name.removeprefix("Tensor.")
    if not isinstance(found, TensorSpec):
        is_same = method in ("shape", "ndim") or name == "Tensor.size"  # the size of an array is never called
        return found if is_same else Unknown(f"{name} of an array")
    if method in _OTHER_THAN_ARRAYS or (name == "__getitem__" and isinstance(args[1], str)):
        return Unknown(f"{name} of an array")
    return marked(found if _means_the_same(method, args) else TensorSpec.anything(), mark)


def _means_the_same(method: str, args: tuple[Value, ...]) -> bool:
    if method == "*":
        return sum(mark_of(one) is not None for one in args) < 2  # of sparse matrices, it is the matrix product
    if method == "__getitem__":
        return type(args[1]) is not int  # a table has columns
    return method in _SAME_MEANING or not method[0].isalpha() or method in _UNARY
