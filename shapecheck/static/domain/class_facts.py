"""Facts about classes that follow from their definitions alone: is it a module or a layer, which fields has it."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.domain.abstract_values import Slot
from shapecheck.static.domain.external_bases import ExternalBase, is_layer
from shapecheck.static.domain.library_bases import is_module_base, keeps_call
from shapecheck.static.domain.objects import ClassValue

LAYER = Slot("the layer that it is")
"""The field of an instance whose class derives from a layer: that layer."""

UNNAMED = Slot("attributes whose names are unknown")
"""Set on a module once something may have been registered under a name that is unknown."""
HOOKED = Slot("a hook changes its input or its result")
"""Set on a module once a hook that returns a value is registered on it."""
REGISTERING = frozenset(("register_buffer", "register_parameter", "add_module", "register_module"))
"""The methods of nn.Module that set an attribute."""


def base_layer(cls: ClassValue) -> str | None:
    """The name of the first layer that the class derives from; None if there is none."""
    outside = (one.name for one in cls.order if isinstance(one, ExternalBase))
    return next((name for name in outside if is_layer(name)), None)


def is_module(cls: ClassValue) -> bool:
    """Whether it certainly derives from nn.Module."""
    return any(map(is_module_base, cls.outside()))


def has_plain_call(cls: ClassValue) -> bool:
    """Whether no base from outside the project may define a `__call__` that does more than to run `forward`."""
    return all(map(keeps_call, cls.outside()))


def fields_of(cls: ClassValue) -> list[str]:
    """The names of a dataclass's or a NamedTuple's fields, in order."""
    return list(dict.fromkeys(name for one in reversed(cls.mro()) for name in _annotated_names(one.node)))


def init_only(cls: ClassValue) -> list[str]:
    """The fields with the annotation `InitVar[...]`, which `__post_init__` receives, in order."""
    found = {name for one in cls.mro() for name in _init_only_names(one.node)}
    return [name for name in fields_of(cls) if name in found]


@cached_on_node
def _init_only_names(node: ast.ClassDef) -> frozenset[str]:
    written = (one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name))
    texts = ((one.target.id, ast.unparse(one.annotation)) for one in written if isinstance(one.target, ast.Name))
    return frozenset(name for name, text in texts if text.partition("[")[0].rpartition(".")[2] == "InitVar")


@cached_on_node
def _annotated_names(node: ast.ClassDef) -> tuple[str, ...]:
    statements = (one for one in node.body if isinstance(one, ast.AnnAssign))
    return tuple(one.target.id for one in statements if isinstance(one.target, ast.Name) and not _is_no_argument(one))


def _is_no_argument(node: ast.AnnAssign) -> bool:
    """Whether an annotated name is not a parameter of the constructor: a ClassVar, `field(init=False)`."""
    keywords = node.value.keywords if isinstance(node.value, ast.Call) else []
    left_out = any(
        one.arg == "init" and isinstance(one.value, ast.Constant) and one.value.value is False for one in keywords
    )
    return left_out or "ClassVar" in ast.unparse(node.annotation)
