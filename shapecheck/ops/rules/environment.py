"""Calls that create no tensor: modes, devices, flags, initialization, wrappers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.unknown import Other, Unknown
from shapecheck.spec import DType, unknown
from shapecheck.spec.dtype import DEFAULT_FLOAT

_KINDS = {
    "context manager": """
        torch.no_grad torch.enable_grad torch.set_grad_enabled torch.inference_mode autograd.no_grad
        autograd.enable_grad autograd.set_grad_enabled
        autograd.profiler.record_function profiler.record_function backends.cuda.sdp_kernel nn.attention.sdpa_kernel
        utils.checkpoint.set_checkpoint_early_stop cuda.stream cuda.device
    """,
    "autocast": "torch.autocast amp.autocast cuda.amp.autocast cpu.amp.autocast",
    "True or False": """
        torch.is_grad_enabled torch.is_inference_mode_enabled torch.is_autocast_enabled
        cuda.is_available cuda.is_bf16_supported
        backends.mps.is_available backends.mps.is_built backends.cudnn.is_available distributed.is_available
        distributed.is_initialized accelerator.is_available xpu.is_available
    """,
    "device": "torch.device torch.get_default_device accelerator.current_accelerator cuda.current_device",
    "finfo": "torch.finfo",
    "iinfo": "torch.iinfo",
    "generator": "torch.Generator torch.manual_seed torch.default_generator",
    "stream": "cuda.Stream cuda.Event cuda.current_stream",
    "text": "cuda.get_device_name",
    "None": """
        torch._assert torch._assert_async torch._check torch._check_value torch.set_default_dtype
        torch.set_default_device torch.use_deterministic_algorithms torch.set_num_threads torch.save cuda.synchronize
        cuda.empty_cache cuda.manual_seed cuda.manual_seed_all distributed.barrier distributed.all_reduce
        distributed.broadcast distributed.all_gather nn.Module.__init__ torch.set_float32_matmul_precision
        distributed.init_process_group compiler.cudagraph_mark_step_begin _C._get_tracing_state
    """,
    "remote reference": "distributed.rpc.remote distributed.rpc.rpc_async",
}
_COUNTS = """
    cuda.device_count accelerator.device_count distributed.get_rank distributed.get_world_size torch.get_num_threads
    torch.initial_seed
"""
_ANYTHING = """
    utils._pytree.tree_flatten utils._pytree.tree_unflatten utils._pytree.tree_map utils._pytree.tree_leaves
    distributed.rpc.rpc_sync
"""
"""Their results depend on the functions and values that they receive."""
_GIVEN_BACK = """
    torch.compile jit.script jit.trace jit.ignore jit.export jit.unused jit.interface torch._dynamo.disable
    compiler.disable nn.utils.skip_init nn.DistributedDataParallel nn.DataParallel nn.parallel.DistributedDataParallel
    nn.parallel.DataParallel utils.checkpoint.checkpoint_wrapper
"""
_INITIALISERS = """
    constant dirac eye kaiming_normal kaiming_uniform normal ones orthogonal sparse trunc_normal uniform xavier_normal
    xavier_uniform zeros
"""


_ONLY_ELSEWHERE = """
    jit.is_scripting jit.is_tracing _jit_internal.is_scripting _C._is_tracing
    torchvision._is_tracing compiler.is_compiling compiler.is_dynamo_compiling compiler.is_exporting
    _dynamo.is_compiling _dynamo.external_utils.is_compiling _utils.is_compiling
    onnx.is_in_onnx_export onnx.utils.is_in_onnx_export fx._symbolic_trace.is_fx_tracing
    fx._symbolic_trace.is_fx_symbolic_tracing overrides.has_torch_function overrides.has_torch_function_unary
    overrides.has_torch_function_variadic torch.is_vulkan_available cuda.is_current_stream_capturing
"""
"""Whether torch traces, compiles, exports or captures the program, or an argument replaces torch's functions."""


def _constantly(kind: str) -> Callable[..., Any]:
    def rule(*args: Any, **kwargs: Any) -> Any:
        return None if kind == "None" else Other(kind)

    return rule


def _not_here(*args: Any, **kwargs: Any) -> bool:
    """False: the program runs as it is written."""
    return False


def _count(*args: Any, **kwargs: Any) -> Any:
    return unknown("count", low=0)


def _anything(*args: Any, **kwargs: Any) -> Any:
    return Unknown("the result of a function for each value")


def _given_back(wrapped: Any = None, *args: Any, **kwargs: Any) -> Any:
    """The wrapped function itself; a decorator if it is only configured here."""
    return Other("decorator") if wrapped is None else wrapped


def _initialised(tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    return tensor


for _kind, _names in _KINDS.items():
    for _name in _names.split():
        register(_constantly(_kind), _name)
for _name in _ONLY_ELSEWHERE.split():
    register(_not_here, _name)
for _name in _COUNTS.split():
    register(_count, _name)
for _name in _ANYTHING.split():
    register(_anything, _name)
for _name in _GIVEN_BACK.split():
    register(_given_back, _name)
for _name in _INITIALISERS.split():
    register(_initialised, f"nn.init.{_name}_", f"nn.init.{_name}")


@op("torch.get_default_dtype")
def get_default_dtype() -> DType:
    """float32, assuming that `torch.set_default_dtype` is not called."""
    return DEFAULT_FLOAT


@op("nn.Parameter", "nn.parameter.Parameter")
def parameter(data: Tensor | None = None, requires_grad: object = True) -> Any:
    """The tensor itself; without one, a tensor that is set later."""
    return Unknown("empty Parameter") if data is None else data


@op("nn.Buffer", "nn.parameter.Buffer")
def buffer(data: Tensor | None = None, *, persistent: object = True) -> Any:
    """The tensor itself; without one, a tensor that is set later."""
    return Unknown("empty Buffer") if data is None else data


@op("utils.checkpoint.checkpoint")
def checkpoint(function: Any, *args: Any, use_reentrant: object = None, **kwargs: Any) -> Any:
    """The result of the function for these arguments."""
    if not callable(function):
        return Unknown("unknown checkpointed function")
    return function(*args, **kwargs)


@op("utils.checkpoint.checkpoint_sequential")
def checkpoint_sequential(
    functions: Any, segments: object, input: Tensor, use_reentrant: object = None, **kwargs: Any
) -> Any:
    """The result of applying the functions in order."""
    layers = list(functions) if isinstance(functions, (list, tuple)) else [functions]
    result: Any = input
    for layer in layers:
        if not callable(layer):
            return Unknown("unknown checkpointed function")
        result = layer(result)
    return result


@op("nn.modules.utils._pair")
def pair(x: Any) -> Any:
    """A number as a pair."""
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x)


@op("nn.modules.utils._single")
def single(x: Any) -> Any:
    """A number as a tuple of one."""
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


@op("nn.modules.utils._triple")
def triple(x: Any) -> Any:
    """A number as a triple."""
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x, x)


@op("torch.Size")
def size(sizes: Any = ()) -> Any:
    """The sizes as a tuple."""
    return tuple(sizes)


@op("torch.is_tensor")
def is_tensor(obj: Any) -> bool:
    """Whether the value is a tensor."""
    return isinstance(obj, Tensor)


@op("Tensor.values", "Tensor.indices", "Tensor.crow_indices", "Tensor.col_indices")
def of_a_sparse_tensor(self: Tensor) -> Unknown:
    """The values or indices of a sparse tensor; their number depends on the data."""
    return Unknown("data-dependent parts of a sparse tensor")


@op("Tensor.index", "Tensor.resize")
def of_another_object(self: object, *args: Any) -> Unknown:
    """Methods that tensors do not have, or no longer have: `list.index`, `Image.resize`."""
    return Unknown("unknown tensor method")
