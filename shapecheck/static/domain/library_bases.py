"""Base classes of libraries: which are modules, and what a class with an unknown base probably is."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from shapecheck.project.known_bases import is_module_class
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.external_bases import MODULES, is_layer

if TYPE_CHECKING:
    from shapecheck.static.domain.objects import ClassValue

_MODELLED = MODULES | frozenset(
    """
    builtins.object unittest.TestCase unittest.case.TestCase abc.ABC typing.Generic typing.Protocol typing.NamedTuple
    builtins.dict collections.OrderedDict collections.UserDict
    torch.utils.data.Dataset torch.utils.data.dataset.Dataset
    torch.utils.data.IterableDataset torch.utils.data.dataset.IterableDataset
    huggingface_hub.PyTorchModelHubMixin
    """.split()
)
_OWN_CALLS = ("gpytorch.", "pyro.", "torch.fx.", "torch.jit.")
"""Libraries whose modules do more in a call than to run `forward`."""
_FRAMEWORKS = frozenset(
    """
    chainer equinox flax haiku jax jittor keras mindspore mlx mxnet oneflow paddle tensorflow tf theano tinygrad
    """.split()
)
"""Libraries with modules of another kind."""


@lru_cache(maxsize=1 << 10)
def is_modelled_base(name: str) -> bool:
    """Whether everything about a base class from outside the project is known."""
    return name in _MODELLED or is_layer(name)


@lru_cache(maxsize=1 << 10)
def is_module_base(name: str) -> bool:
    """Whether it is nn.Module or a class of a library that derives from it; the layers of torch are not among them."""
    return name in MODULES or (not is_layer(name) and is_module_class(name) is True)


@lru_cache(maxsize=1 << 10)
def keeps_call(name: str) -> bool:
    """Whether a call of an instance of a class with this base runs `forward`, as nn.Module defines it."""
    return is_modelled_base(name) or (is_module_base(name) and not name.startswith(_OWN_CALLS))


def has_unmodelled_base(cls: ClassValue) -> bool:
    """Whether a base from outside the project may define anything."""
    return not all(map(is_modelled_base, cls.outside()))


def is_probable_module(cls: ClassValue) -> bool:
    """Whether a class with an unknown base is very likely a module.

    It has a `forward`, and a constructor that calls that of the base, in a file that uses torch.
    """
    unknown = [name for name in cls.outside() if not is_modelled_base(name) and is_module_class(name) is None]
    if not unknown or any(name.partition(".")[0] in _FRAMEWORKS for name in unknown):
        return False
    mro = cls.mro()
    has_forward = any("forward" in one.fields for one in mro)
    return has_forward and "torch" in cls.closure.loaded.text and any(_calls_base(one.node) for one in mro)


@cached_on_node
def _calls_base(node: ast.ClassDef) -> bool:
    """Whether the constructor of a class calls that of its base."""
    constructor = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
    calls = (one for one in walk(constructor) if isinstance(one, ast.Call)) if constructor is not None else ()
    return any(isinstance(one.func, ast.Attribute) and last_name(one.func) == "__init__" for one in calls)
