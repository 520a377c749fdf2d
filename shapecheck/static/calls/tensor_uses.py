"""Attributes that show a tensor: `x.view(b, -1)`, `x.norm(dim=1)`, or `x.shape` of an x without other attributes."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.calls.other_uses import has_other_attributes, is_used_as_module
from shapecheck.static.domain.array_likes import is_shared_attribute
from shapecheck.static.engine.run import Run

PROPERTIES = frozenset(
    """
    shape dtype device ndim T mT H mH real imag data layout itemsize nbytes is_quantized is_sparse is_sparse_csr
    is_nested is_mkldnn
    """.split()
)
_OF_TENSORS = frozenset(
    """
    shape size dim ndim dtype device view reshape permute transpose flatten unsqueeze squeeze contiguous float mean
    t bmm matmul log_softmax logsumexp sigmoid expand_as view_as detach type_as new_zeros new_ones new_tensor
    is_contiguous requires_grad softmax chunk expand masked_fill to type half double bfloat16 long
    topk kthvalue clamp clamp_min clamp_max amax amin rsqrt index_select masked_select unbind narrow movedim unflatten
    mm mv addmm baddbmm addcmul addcdiv repeat_interleave tril triu logcumsumexp new_empty new_full is_floating_point
    squeeze_ unsqueeze_ transpose_ normal_ uniform_ zero_ fill_ copy_ add_ mul_ sub_ div_ clamp_ masked_fill_ scatter_
    scatter_add_ index_add_ index_copy_ index_fill_ index_put_ flip roll sum prod std var cumsum cumprod argmax argmin
    """.split()
)
_ALONG_AXES = frozenset(
    """
    norm max min all any median nanmedian mode nansum nanmean quantile nanquantile sort argsort cummax cummin
    count_nonzero diff
    """.split()
)
"""Methods that other objects have, too, with parameters of other names."""
MODULE_METHODS = frozenset(
    """
    to cuda cpu half float double bfloat16 eval train requires_grad_ apply parameters named_parameters buffers children
    named_children modules named_modules state_dict load_state_dict register_buffer register_parameter add_module
    register_module get_submodule zero_grad compile register_forward_hook register_forward_pre_hook extra_repr
    share_memory type generate_square_subsequent_mask register_load_state_dict_post_hook get_parameter
    set_submodule
    """.split()
)


def shows_tensor(run: Run, node: ast.AST, name: str) -> bool:
    """Whether what has this attribute of tensors is used as a tensor or an array."""
    tree = run.loaded.tree
    if name in _ALONG_AXES:
        return node in _with_axis_of_torch(tree)
    if name not in _OF_TENSORS:
        return False
    if name not in PROPERTIES and node not in called_attributes(tree):
        return False
    if name in MODULE_METHODS and is_used_as_module(tree, node):
        return False
    return not (is_shared_attribute(name) and has_other_attributes(run.frame.function, node))


@cached_on_node
def called_attributes(tree: ast.Module) -> frozenset[ast.AST]:
    """The attributes of a file that are called: `x.dim` that is not called may be a number of any object."""
    calls = (one.func for one in walk(tree) if isinstance(one, ast.Call))
    return frozenset(one for one in calls if isinstance(one, ast.Attribute))


@cached_on_node
def _with_axis_of_torch(tree: ast.Module) -> frozenset[ast.AST]:
    """The attributes of a file that are called with an axis as torch names it: `x.norm(dim=1)`, `x.max(keepdim=True)`.

    NumPy names these parameters `axis` and `keepdims`; a dimension of xarray is a string.
    """
    calls = (one for one in walk(tree) if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute))
    return frozenset(one.func for one in calls if any(map(_is_axis_of_torch, one.keywords)))


def _is_axis_of_torch(keyword: ast.keyword) -> bool:
    if keyword.arg == "keepdim":
        return True
    value = keyword.value.operand if isinstance(keyword.value, ast.UnaryOp) else keyword.value
    return keyword.arg == "dim" and isinstance(value, ast.Constant) and type(value.value) is int
