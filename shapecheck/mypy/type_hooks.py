"""The table of hooks about types. mypy asks for one at every call and attribute, so they are found by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from mypy.plugin import AttributeContext, ClassDefContext, FunctionContext, MethodContext, MethodSigContext
from mypy.server.trigger import make_trigger
from mypy.types import FunctionLike, Type

from shapecheck.mypy import container_access
from shapecheck.mypy.calls import call_signature
from shapecheck.mypy.containers import construct
from shapecheck.mypy.file_scan import remember
from shapecheck.mypy.names import CONTAINERS, MODULE, MODULE_DICT, MODULE_LIST, SEQUENTIAL, is_module

_FUNCTIONS: dict[str, Callable[[FunctionContext], Type]] = {
    "builtins.enumerate": container_access.enumerated,
    "builtins.zip": container_access.zipped,
    **dict.fromkeys(CONTAINERS, construct),
}
_METHODS: dict[str, Callable[[MethodContext], Type]] = {
    **{f"{name}.__getitem__": container_access.item for name in CONTAINERS},
    f"{MODULE_LIST}.__iter__": container_access.iterator,
    f"{SEQUENTIAL}.__iter__": container_access.iterator,
    f"{MODULE_DICT}.values": container_access.iterator,
    f"{MODULE_DICT}.items": container_access.items,
}


def _attribute(owner: str, name: str) -> Callable[[AttributeContext], Type]:
    """For containers that are attributes, and their keys."""
    return partial(container_access.child if owner == MODULE else container_access.attribute, name)


def _prepare_class(ctx: ClassDefContext) -> None:
    """Stores the facts of its body with a module class, for later hooks."""
    info = ctx.cls.info
    if not is_module(info):
        return
    # mypy records that a caller depends on `__call__`; here `__call__` depends on `forward`.
    called, run = make_trigger(f"{info.fullname}.__call__"), make_trigger(f"{info.fullname}.forward")
    ctx.api.add_plugin_dependency(run, called)
    remember(ctx.cls)


class TypeHooks(NamedTuple):
    """The hooks for each kind of expression, and for classes."""

    functions: dict[str, Callable[[FunctionContext], Type]]
    methods: dict[str, Callable[[MethodContext], Type]]
    call: Callable[[MethodSigContext], FunctionLike]
    attribute: Callable[[str, str], Callable[[AttributeContext], Type]]
    base_class: Callable[[ClassDefContext], None]


TYPE_HOOKS = TypeHooks(_FUNCTIONS, _METHODS, call_signature, _attribute, _prepare_class)
