"""Maps names to hooks. mypy calls this for every call and attribute, so it only compares strings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from mypy.checker import TypeChecker
from mypy.nodes import MypyFile
from mypy.options import Options
from mypy.plugin import (
    AttributeContext,
    ClassDefContext,
    FunctionContext,
    MethodContext,
    MethodSigContext,
    Plugin,
    ReportConfigContext,
)
from mypy.server.trigger import make_trigger
from mypy.types import FunctionLike, Type

from shapecheck.mypy import container_access
from shapecheck.mypy.calls import call_signature
from shapecheck.mypy.checks import Checks
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


class ShapecheckPlugin(Plugin):
    """Types the calls of `nn.Module` instances, and reports what `shapecheck check` finds."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._checks = Checks(options)

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Calls of an instance."""
        return call_signature if fullname.endswith(".__call__") else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Constructors of containers."""
        return _FUNCTIONS.get(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Items of containers."""
        return _METHODS.get(fullname)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Containers that are attributes, and their keys."""
        owner, _, name = fullname.rpartition(".")
        if name == "__doc__":
            return self._documentation
        return partial(container_access.child if owner == MODULE else container_access.attribute, name)

    def get_base_class_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """Every class with bases."""
        return _prepare_class

    def set_modules(self, modules: dict[str, MypyFile]) -> None:
        """Called once the files are known."""
        super().set_modules(modules)
        self._checks.known_modules(modules)

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """Called for each module that is in the cache, and for each that goes there."""
        return self._checks.config_data(ctx.path, ctx.id)

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Called after a file was parsed."""
        self._checks.parsed(file)
        return []

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        """Called after a file was type-checked."""
        self._checks.checked(file)
        return set()

    def _documentation(self, ctx: AttributeContext) -> Type:
        if isinstance(ctx.api, TypeChecker):
            self._checks.passed(ctx.api, ctx.context)
        return ctx.default_attr_type


def _prepare_class(ctx: ClassDefContext) -> None:
    """Stores the facts of its body with a module class, for later hooks."""
    info = ctx.cls.info
    if not is_module(info):
        return
    # mypy records that a caller depends on `__call__`; here `__call__` depends on `forward`.
    called, run = make_trigger(f"{info.fullname}.__call__"), make_trigger(f"{info.fullname}.forward")
    ctx.api.add_plugin_dependency(run, called)
    remember(ctx.cls)
