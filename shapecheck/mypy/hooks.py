"""The plugin: mypy's calls. If nothing has changed since an earlier run, no other part of the plugin is imported."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from functools import cached_property
from hashlib import sha1
from typing import TYPE_CHECKING, Any

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
from mypy.types import FunctionLike, Type

from shapecheck.mypy import known_codes
from shapecheck.mypy.build import build_of, roots
from shapecheck.mypy.late_files import LateFiles
from shapecheck.mypy.source_version import source_version
from shapecheck.mypy.unchanged import Unchanged

if TYPE_CHECKING:
    from mypy.build import BuildManager

    from shapecheck.mypy.checks import Checks
    from shapecheck.mypy.type_hooks import TypeHooks

_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


class ShapecheckPlugin(Plugin):
    """Types the calls of `nn.Module` instances, and reports what `shapecheck check` finds."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._began = time.perf_counter()
        self._is_alone = not options.fine_grained_incremental and not options.num_workers
        """Whether this process checks all files, once."""
        is_stored = options.incremental and options.cache_dir != os.devnull
        self._folder = os.path.join(os.path.abspath(options.cache_dir), "shapecheck") if is_stored else ""  # noqa: PTH100, PTH118
        self._modules: dict[str, MypyFile] = {}
        self._version = source_version(self._stored_in("version.json"))
        codes = self._stored_in(f"codes-{self._version[:12]}.json")
        if not known_codes.is_registered(codes):
            from shapecheck.mypy.codes import ERROR_CODES  # noqa: PLC0415 - not needed with that file

            known_codes.write(codes, ERROR_CODES)

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Calls of an instance."""
        return self._types.call if fullname.endswith(".__call__") else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Constructors of containers."""
        return self._types.functions.get(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Items of containers."""
        return self._types.methods.get(fullname)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Containers that are attributes, and their keys."""
        owner, _, name = fullname.rpartition(".")
        return self._documentation if name == "__doc__" else self._types.attribute(owner, name)

    def get_base_class_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """Every class with bases."""
        return self._types.base_class

    def set_modules(self, modules: dict[str, MypyFile]) -> None:
        """Called once the files are known."""
        super().set_modules(modules)
        self._modules = modules
        if "_checks" in self.__dict__:
            self._checks.modules = modules

    def report_config_data(self, ctx: ReportConfigContext) -> Any:
        """Called for each module that is in the cache, and for each that goes there."""
        if not _is_ours(ctx.path):
            return None
        if ctx.is_check and self._is_alone and os.path.abspath(ctx.path) not in self._late.files:  # noqa: PTH100
            known = self._unchanged.get(ctx.path, ctx.id)
            if known is not None:
                return known[0]
        return self._checks.config_data(ctx.path, ctx.id, is_check=ctx.is_check)

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Called after a file was parsed."""
        if _is_ours(file.path):
            self._checks.parsed(file)
        return []

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        """Called after a file was type-checked."""
        if _is_ours(file.path):
            self._checks.checked(file)
        return set()

    def _documentation(self, ctx: AttributeContext) -> Type:
        self._checks.passed(ctx.api, ctx.context)
        return ctx.default_attr_type

    @cached_property
    def _types(self) -> TypeHooks:
        from shapecheck.mypy.type_hooks import TYPE_HOOKS  # noqa: PLC0415 - not needed if no file is checked

        return TYPE_HOOKS

    @cached_property
    def _build(self) -> BuildManager | None:
        return build_of(self.options)

    @cached_property
    def _roots(self) -> list[str]:
        paths = self._build.search_paths if self._build is not None else None
        return roots(self.options, [*paths.mypy_path, *paths.python_path] if paths is not None else [])

    @cached_property
    def _late(self) -> LateFiles:
        return LateFiles(self._stored_in("late.jsonl") if self._is_alone else "")

    @cached_property
    def _unchanged(self) -> Unchanged:
        general = sorted(code.code for code in self.options.enabled_error_codes)
        special = {glob: sorted(map(str, table)) for glob, table in self._enabled_by_module()}
        parts = [self._version, os.getcwd(), self._roots, general, special, self.options.shadow_file]  # noqa: PTH109
        key = sha1(json.dumps(parts).encode(), usedforsecurity=False).hexdigest()
        return Unchanged(self._stored_in(f"unchanged-{key[:12]}.jsonl") if self._is_alone else "", key)

    def _enabled_by_module(self) -> list[tuple[str, list[object]]]:
        tables = self.options.per_module_options.items()
        return [(glob, list(table.get("enable_error_code", ()))) for glob, table in tables]  # type: ignore[call-overload]

    @cached_property
    def _checks(self) -> Checks:
        from shapecheck.mypy.checks import Checks, MypyRun  # noqa: PLC0415 - not needed if nothing has changed

        kind = json.dumps([self._version, os.getcwd(), self._roots])  # noqa: PTH109
        log = self._stored_in(f"findings-{sha1(kind.encode(), usedforsecurity=False).hexdigest()[:12]}.jsonl")
        return Checks(
            MypyRun(self.options, self._build, self._roots, self._unchanged, self._late, log, self._began),
            self._modules,
        )

    def _stored_in(self, name: str) -> str:
        return os.path.join(self._folder, name) if self._folder else ""  # noqa: PTH118


def _is_ours(path: str) -> bool:
    """Whether it is a source of the user, as far as its name says."""
    return path.endswith(".py") and not any(folder in path for folder in _INSTALLED)
