"""Base classes from outside the project: their own bases, and which attributes they define."""

from __future__ import annotations

import builtins
from functools import lru_cache
from typing import Final

from shapecheck.static.domain.torch_names import is_modelled

MODULES: Final = frozenset(("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"))
"""The names of nn.Module."""
MODULE: Final = "torch.nn.Module"

PARENTS = {
    "NLLLoss2d": "NLLLoss",
    "ReLU6": "Hardtanh",
    "UpsamplingBilinear2d": "Upsample",
    "UpsamplingNearest2d": "Upsample",
    "ZeroPad1d": "ConstantPad1d",
    "ZeroPad2d": "ConstantPad2d",
    "ZeroPad3d": "ConstantPad3d",
}
"""The layers of torch that derive from another layer."""

_CONTAINERS = frozenset(("Sequential", "ModuleList", "ModuleDict"))
_OBJECT = "builtins.object"

OF_MODULES = frozenset(
    """
    __call__ __delattr__ __dir__ __getattr__ __init__ __repr__ __setattr__ __setstate__ T_destination _apply _call_impl
    _compiled_call_impl _get_backward_hooks _get_backward_pre_hooks _get_name _load_from_state_dict
    _maybe_warn_non_full_backward_hook _named_members _register_load_state_dict_pre_hook _register_state_dict_hook
    _replicate_for_data_parallel _save_to_state_dict _slow_forward _version _wrapped_call_impl add_module apply bfloat16
    buffers call_super_init children compile cpu cuda double dump_patches eval extra_repr float forward get_buffer
    get_extra_state get_parameter get_submodule half ipu load_state_dict modules mtia named_buffers named_children
    named_modules named_parameters parameters register_backward_hook register_buffer register_forward_hook
    register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook
    register_load_state_dict_post_hook register_load_state_dict_pre_hook register_module register_parameter
    register_state_dict_post_hook register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory
    state_dict to to_empty train type xpu zero_grad
    """.split()
)
"""The attributes of the class nn.Module."""
OF_LAYERS = OF_MODULES | frozenset(
    """
    __add__ __constants__ __contains__ __delitem__ __getitem__ __iadd__ __imul__ __ior__ __iter__ __len__ __mul__ __or__
    __reversed__ __rmul__ __ror__ __setitem__ _apply_instance_norm _check_input_dim _check_non_zero_input_channels
    _conv_forward _ff_block _fill_padding_idx_with_zero _get_abs_string_index _get_full_log_prob _get_in_channels
    _get_item_by_idx _get_no_batch_dim _get_num_spatial_dims _handle_no_batch_input _infer_parameters _init_flat_weights
    _key_to_attr _lazy_load_hook _mha_block _output_padding _require_tuple_int _reset_parameters _sa_block
    _update_flat_weights _weights_have_changed all_weights append check_forward_args check_hidden_size check_input clear
    cls_to_become convert_sync_batchnorm copy extend flatten_parameters from_pretrained fromkeys gather
    generate_square_subsequent_mask get get_expected_cell_size get_expected_hidden_size has_uninitialized_params
    initialize_parameters insert items keys log_prob merge_masks parallel_apply permute_hidden pop popitem predict
    replicate reset_parameters reset_running_stats scatter setdefault update values
    """.split()
)
"""The attributes of all layers' classes; each has some of them."""
HUB_MIXIN: Final = "huggingface_hub.PyTorchModelHubMixin"
OF_HUB_MIXIN: Final = frozenset(
    """
    __init_subclass__ __new__ _from_pretrained _hub_mixin_config _hub_mixin_info _hub_mixin_inject_config
    _save_pretrained from_pretrained generate_model_card push_to_hub save_pretrained
    """.split()
)
"""The attributes of that class, which saves and loads modules."""
_OF_DATASETS = frozenset(("__add__", "__getitem__", "__iter__"))
_BASES: dict[str, tuple[str, ...]] = {
    MODULE: (_OBJECT,),
    "abc.ABC": (_OBJECT,),
    "typing.Generic": (_OBJECT,),
    "typing.Protocol": ("typing.Generic", _OBJECT),
    "collections.OrderedDict": ("builtins.dict", _OBJECT),
    "collections.UserDict": (_OBJECT,),
    "torch.utils.data.Dataset": ("typing.Generic", _OBJECT),
    "torch.utils.data.IterableDataset": ("torch.utils.data.Dataset", "typing.Generic", _OBJECT),
    "unittest.TestCase": (_OBJECT,),
    HUB_MIXIN: (_OBJECT,),
}
"""The bases of classes in method resolution order."""
_WITHOUT_ATTRIBUTES = frozenset((_OBJECT, "abc.ABC", "typing.Generic"))
_OTHER_NAMES = {
    **dict.fromkeys(MODULES, MODULE),
    "typing_extensions.Protocol": "typing.Protocol",
    "torch.utils.data.dataset.Dataset": "torch.utils.data.Dataset",
    "torch.utils.data.dataset.IterableDataset": "torch.utils.data.IterableDataset",
    "unittest.case.TestCase": "unittest.TestCase",
    "huggingface_hub.hub_mixin.PyTorchModelHubMixin": HUB_MIXIN,
}


class ExternalBase:
    """A base class from outside the project; one with the name `?` equals no other."""

    __slots__ = ("_attributes", "is_certain", "name")

    def __init__(self, name: str, *, is_placed: bool = True) -> None:
        self.name = name
        self.is_certain = is_placed and _is_known(name)
        """Whether it is known, and its place too. An unknown class among the other bases may derive from it."""
        self._attributes = _attributes(name) if self.is_certain or name in _WITHOUT_ATTRIBUTES else None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, ExternalBase) and self.name == other.name and self.name != "?")

    def __hash__(self) -> int:
        return hash(self.name)

    def may_define(self, name: str) -> bool:
        """Whether it may have an attribute; those of `object` do not count."""
        return self._attributes is None or name in self._attributes

    def misplaced(self) -> ExternalBase:
        """The same class at an uncertain place."""
        return ExternalBase(self.name, is_placed=False) if self.is_certain else self

    def with_bases(self) -> tuple[ExternalBase, ...]:
        """Itself and its bases in method resolution order."""
        return self, *[ExternalBase(one) for one in _bases(self.name)]


def external_base(name: str) -> ExternalBase:
    """The base class of a dotted name, whichever of its names that is."""
    if is_layer(name):
        return ExternalBase(f"torch.nn.{name.rpartition('.')[2]}")
    return ExternalBase(_OTHER_NAMES.get(name, name))


def is_layer(name: str) -> bool:
    """Whether an external base is a layer or container that is modelled."""
    if not name.startswith("torch.nn.") or name in MODULES:
        return False
    short = name.rpartition(".")[2]
    return short[:1].isupper() and (short in _CONTAINERS or is_modelled(name))


def _is_known(name: str) -> bool:
    """Whether its bases and attributes are known."""
    return name in _BASES or name == _OBJECT or is_layer(name) or _builtin(name) is not None


@lru_cache(maxsize=1 << 10)
def _bases(name: str) -> tuple[str, ...]:
    if is_layer(name):
        parent = PARENTS.get(name.rpartition(".")[2])
        return (*([] if parent is None else [f"torch.nn.{parent}"]), MODULE, _OBJECT)
    found = _builtin(name)
    if found is not None:
        return tuple(f"builtins.{one.__name__}" for one in found.__mro__[1:])
    return _BASES.get(name, (_OBJECT,) if name != _OBJECT else ())


@lru_cache(maxsize=1 << 10)
def _attributes(name: str) -> frozenset[str]:
    if name in _WITHOUT_ATTRIBUTES:
        return frozenset()
    if name == MODULE:
        return OF_MODULES
    if name == "typing.Protocol":  # its constructor does nothing if the class of the object has another one
        return frozenset(("__init__",))
    if is_layer(name):
        return OF_LAYERS
    if name.startswith("torch.utils.data."):
        return _OF_DATASETS
    if name == HUB_MIXIN:
        return OF_HUB_MIXIN
    if name == "unittest.TestCase":
        import unittest  # noqa: PLC0415 - needed for tests alone

        return frozenset(dir(unittest.TestCase))
    found = _builtin(name) or dict
    return frozenset(dir(found)) - (frozenset(dir(object)) - {"__init__"})


def _builtin(name: str) -> type | None:
    module, _, short = name.rpartition(".")
    found = getattr(builtins, short, None) if module == "builtins" else None
    return found if isinstance(found, type) else None
