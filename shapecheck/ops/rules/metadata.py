"""Properties of a tensor that need no computation: sizes, strides, kinds of dtype, device."""

from __future__ import annotations

from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Tensor, axis
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, Size, TensorSpec, same
from shapecheck.spec.strides import is_dense_in_order, preserved, strides_of
from shapecheck.spec.strides import numel as product


@op("size")
def size(input: Tensor, dim: int | None = None) -> tuple[Size, ...] | Size | Unknown:
    """All sizes as a tuple, or that of one dimension."""
    if dim is None:
        return shape(input)
    if input.rank is not None:
        if not input.rank:
            axis(dim, 0)
            raise CallError("cannot use dim with a 0-D input")
        return input.dims[axis(dim, input.rank)]
    axis(dim, 1 << 30)  # checks its type
    return input.shape.size(dim)


@op("shape")
def shape(input: Tensor) -> tuple[Size, ...] | Unknown:
    """All sizes as a tuple."""
    return Unknown("unknown rank") if input.rank is None else input.dims


@op("dim", "ndim", "ndimension")
def dim(input: Tensor) -> int | Unknown:
    """The number of dimensions."""
    return Unknown("unknown rank") if input.rank is None else input.rank


@op("numel", "nelement")
def numel(input: Tensor) -> Size | Unknown:
    """The number of elements."""
    return Unknown("unknown rank") if input.rank is None else product(input.dims)


@op("__len__")
def length(input: Tensor) -> Size:
    """The size of the first dimension."""
    if input.rank == 0:
        raise CallError("len() of a 0-D tensor")
    return input.shape.size(0)


@op("stride")
def stride(input: Tensor, dim: int | None = None) -> tuple[Size, ...] | Size | Unknown:
    """The strides in elements, or that of one dimension."""
    strides = strides_of(input)
    if strides is None:
        return Unknown("unknown memory layout")
    return strides if dim is None else strides[axis(dim, len(strides))]


_ORDERS = {"channels_last": (1, 3, 2, 0), "channels_last_3d": (1, 4, 3, 2, 0)}


@op("is_contiguous")
def is_contiguous(input: Tensor, memory_format: Any = "contiguous_format") -> bool | Unknown:
    """Whether the tensor is contiguous (in that memory format)."""
    order = _ORDERS.get(str(memory_format).removeprefix("torch."))
    if order is None and input.layout != "unknown":
        return input.layout == "contiguous"
    strides = strides_of(input)
    if order is None or strides is None:
        return Unknown("unknown memory layout")
    verdict = len(strides) == len(order) and is_dense_in_order(input.dims, strides, order)
    return Unknown("memory layout that depends on the sizes") if verdict is None else verdict


@op("element_size", "itemsize")
def element_size(input: Tensor) -> int | Unknown:
    """The bytes of an element."""
    return Unknown("unknown dtype") if input.dtype is None else input.dtype.itemsize


@op("nbytes")
def nbytes(input: Tensor) -> Size | Unknown:
    """The bytes of all elements."""
    if input.dtype is None or input.rank is None:
        return Unknown("unknown dtype or rank")
    return product(input.dims) * input.dtype.itemsize


@op("dtype")
def dtype(input: Tensor) -> Any:
    """The dtype."""
    return Unknown("unknown dtype") if input.dtype is None else input.dtype


@op("device")
def device(input: Tensor) -> str | Unknown:
    """The device as "cpu" or "cuda:0"."""
    return input.device if isinstance(input.device, str) else Unknown("unknown device")


@op("get_device")
def get_device(input: Tensor) -> int | Unknown:
    """The number of the device, -1 for the cpu."""
    if not isinstance(input.device, str) or ":" not in input.device:
        return -1 if input.device == "cpu" else Unknown("unknown device")
    return int(input.device.rpartition(":")[2])


def _kind(attribute: str) -> Any:
    def rule(input: Tensor) -> bool | Unknown:
        """Whether the dtype is of this kind."""
        return Unknown("unknown dtype") if input.dtype is None else bool(getattr(input.dtype, attribute))

    return rule


register(_kind("is_floating"), "is_floating_point")
register(_kind("is_complex"), "is_complex")


@op("is_quantized")
def is_quantized(input: Tensor) -> bool | Unknown:
    """Whether the dtype is that of a quantized tensor."""
    return Unknown("unknown dtype") if input.dtype is None else input.dtype.kind == "quantised"


@op("is_sparse", "is_sparse_csr", "is_nested", "is_mkldnn")
def is_sparse(input: Tensor) -> bool | Unknown:
    """False for a tensor with a memory layout: sparse and nested tensors have none."""
    return Unknown("unknown memory layout") if input.layout == "unknown" else False


@op("is_signed")
def is_signed(input: Tensor) -> bool | Unknown:
    """Whether the dtype has negative values."""
    if input.dtype is None:
        return Unknown("unknown dtype")
    return input.dtype.kind in ("signed", "float", "complex")


@op("is_tensor")
def is_tensor(obj: Any) -> bool | Unknown:
    """Whether the value is a tensor."""
    return obj if isinstance(obj, Unknown) else isinstance(obj, TensorSpec)


@op("is_same_size")
def is_same_size(input: Tensor, other: Tensor) -> bool | Unknown:
    """Whether two tensors have the same sizes."""
    if input.rank is None or other.rank is None:
        return Unknown("unknown rank")
    verdicts = [same(one, two) for one, two in zip(input.dims, other.dims, strict=False)]
    if input.rank != other.rank or False in verdicts:
        return False
    return Unknown("unknown sizes") if None in verdicts else True


def _same_tensor(*names: str) -> None:
    def rule(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The same tensor."""
        return input

    register(rule, *names)


_same_tensor("data")
_same_tensor("requires_grad_")
_same_tensor("retain_grad")
_same_tensor("pin_memory")
_same_tensor("share_memory_")
_same_tensor("record_stream")


@op("cpu")
def cpu(input: Tensor, memory_format: object = None) -> Tensor:
    """The same tensor in host memory."""
    return _moved(input, "cpu")


@op("cuda", traits=Trait.KEEPS_MAXIMUM)
def cuda(input: Tensor, device: Any = None, non_blocking: object = False, memory_format: object = None) -> Tensor:
    """The same tensor on a GPU."""
    return _moved(input, f"cuda:{device}" if isinstance(device, int) else str(device or "cuda"))


def _moved(input: Tensor, device: str) -> Tensor:
    kept = preserved(input)
    return TensorSpec.make(kept.shape, kept.dtype, kept.layout, device, kept.strides)


@op("numpy")
def numpy(input: Tensor, *, force: object = False) -> Tensor:
    """An array of the same sizes."""
    return input


@op("grad")
def grad(input: Tensor) -> TensorSpec:
    """The gradient has the sizes of its tensor."""
    return input.with_layout("unknown")


def _unknown(*names: str) -> None:
    for name in names:

        def rule(input: Tensor, *args: Any, **kwargs: Any) -> Unknown:
            """An unknown value."""
            return Unknown("property that does not depend on sizes")

        register(rule, name)


_unknown("storage_offset", "data_ptr", "untyped_storage", "requires_grad", "is_leaf", "grad_fn", "layout", "is_cuda")
_unknown(
    "is_cpu",
    "is_mps",
    "is_meta",
    "is_pinned",
    "is_shared",
    "is_inference",
    "is_conj",
    "is_neg",
)
_unknown("register_hook", "is_nonzero", "__hash__", "__array__", "is_set_to", "_version", "names", "element")
