"""Floating-point operations of one call of an operator, from the shapes of its arguments and results.

A multiplication with an addition counts 2. Only operators based on matrix products count: products, convolutions,
attention and recurrent layers; the cost of the others is in bytes. The products and convolutions are counted as in
torch.utils.flop_counter, so that totals agree; operators that it ignores (attention and recurrent layers on CPU,
fused encoder layers) are counted as the products they consist of. Convolutions with groups count each group alone, in
backward, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor
from torch.utils.flop_counter import flop_registry

Formula = Callable[[tuple[Any, ...], Any], int]
"""From the positional arguments and the result to floating-point operations."""


def _product(left: int) -> Formula:
    """`(..., m, k) @ (..., k, n)`, argument `left` and the next one: 2 * m * k * n for each matrix."""
    right = left + 1
    return lambda args, result: 2 * args[left].numel() * args[right].shape[-1]


def _vector(matrix: int) -> Formula:
    """A matrix or a vector times a vector: 2 for each of its elements."""
    return lambda args, result: 2 * args[matrix].numel()


def _convolution(args: tuple[Any, ...], result: Any) -> int:
    """Each position of the output applies the whole filter; in a transposed convolution, each of the input."""
    data, weight, transposed = args[0], args[1], args[6]
    return int(_positions(data if transposed else result) * 2 * weight.numel())


def _plain_convolution(args: tuple[Any, ...], result: Any) -> int:
    """A convolution that is never transposed: the forms of individual backends."""
    return int(_positions(result) * 2 * args[1].numel())


def _convolution_backward(args: tuple[Any, ...], result: Any) -> int:
    """As much as forward for each of the two gradients that are requested."""
    gradient, data, weight, transposed, asked = args[0], args[1], args[2], args[7], args[10]
    return int(_positions(data if transposed else gradient) * 2 * weight.numel() * (bool(asked[0]) + bool(asked[1])))


def _positions(tensor: Tensor) -> int:
    """Elements of a batch without its channels."""
    return tensor.numel() // (tensor.shape[1] or 1)


def _attention(args: tuple[Any, ...], result: Any) -> int:
    """`q @ k` and `scores @ v`; a causal mask saves nothing here, as in torch.utils.flop_counter."""
    return int(_scores(args[0], args[1]) * 2 * (args[0].shape[-1] + args[2].shape[-1]))


def _attention_backward(args: tuple[Any, ...], result: Any) -> int:
    """The scores once more, and the gradients of scores, value, query and key: five products."""
    query, key, value = args[1], args[2], args[3]
    return int(_scores(query, key) * 2 * (3 * query.shape[-1] + 2 * value.shape[-1]))


def _scores(query: Tensor, key: Tensor) -> int:
    """The number of pairs of a query and a key over all heads: `(b, h, s, d)` and `(b, h, t, d)`."""
    return query.shape[:-1].numel() * key.shape[-2]


def _recurrent_layer(args: tuple[Any, ...], result: Any) -> int:
    """One layer in one direction: both weight matrices for each step of each sequence."""
    return int(_tokens(args[0]) * 2 * (args[1].numel() + args[2].numel()))


def _recurrent(args: tuple[Any, ...], result: Any) -> int:
    """All layers at once, with their weights in a list: the matrices among them for each step of each sequence."""
    return int(_tokens(args[0]) * 2 * sum(one.numel() for one in args[1] if one.dim() == 2))


def _twice(formula: Formula) -> Formula:
    """Backward of what is linear in its input and in its weights: a gradient for each."""
    return lambda args, result: 2 * formula(args, result)


def _heads(args: tuple[Any, ...], result: Any) -> int:
    """Self-attention with its projections: query, key, value, width, heads, weight of the three, bias, last weight."""
    query, key, width = args[0], args[1], args[3]
    projections = _tokens(query) * 2 * (args[5].numel() + args[7].numel())
    return int(projections + _tokens(query) * key.shape[-2] * 4 * int(width))


def _encoder_layer(args: tuple[Any, ...], result: Any) -> int:
    """A fused encoder layer: self-attention and the two products after it."""
    source, width = args[0], args[1]
    weights = sum(args[position].numel() for position in (3, 5, 14, 16))
    return int(_tokens(source) * (2 * weights + 4 * source.shape[-2] * int(width)))


def _tokens(tensor: Tensor) -> int:
    return tensor.numel() // (tensor.shape[-1] or 1)


_FORMULAS: dict[str, Formula] = {
    **dict.fromkeys(("mm", "bmm", "_int_mm"), _product(0)),
    **dict.fromkeys(("addmm", "baddbmm", "addbmm", "_addmm_activation"), _product(1)),
    **dict.fromkeys(("mv", "dot", "vdot"), _vector(0)),
    "addmv": _vector(1),
    **dict.fromkeys(("convolution", "_convolution", "convolution_overrideable"), _convolution),
    **dict.fromkeys(("_slow_conv2d_forward", "mkldnn_convolution", "cudnn_convolution"), _plain_convolution),
    "convolution_backward": _convolution_backward,
    **dict.fromkeys(
        (
            "_scaled_dot_product_flash_attention",
            "_scaled_dot_product_efficient_attention",
            "_scaled_dot_product_cudnn_attention",
            "_scaled_dot_product_flash_attention_for_cpu",
            "_scaled_dot_product_fused_attention_overrideable",
        ),
        _attention,
    ),
    **dict.fromkeys(
        (
            "_scaled_dot_product_flash_attention_backward",
            "_scaled_dot_product_efficient_attention_backward",
            "_scaled_dot_product_cudnn_attention_backward",
            "_scaled_dot_product_flash_attention_for_cpu_backward",
            "_scaled_dot_product_fused_attention_overrideable_backward",
        ),
        _attention_backward,
    ),
    "mkldnn_rnn_layer": _recurrent_layer,
    "mkldnn_rnn_layer_backward": _twice(_recurrent_layer),
    **dict.fromkeys(("_cudnn_rnn", "miopen_rnn"), _recurrent),
    **dict.fromkeys(("_cudnn_rnn_backward", "miopen_rnn_backward"), _twice(_recurrent)),
    "_native_multi_head_attention": _heads,
    "_transformer_encoder_layer_fwd": _encoder_layer,
}


def formula_of(name: str, operator: Any) -> Formula | None:
    """The formula of an ATen operator by its name; of others that of torch.utils.flop_counter; otherwise None."""
    return _FORMULAS.get(name) or _registered(operator)


def _registered(operator: Any) -> Formula | None:
    """torch's own formula, if one is registered (flex attention, custom kernels)."""
    formula = flop_registry.get(getattr(operator, "_overloadpacket", operator))
    if formula is None:
        return None
    return lambda args, result: int(formula(*args, out_val=result))
