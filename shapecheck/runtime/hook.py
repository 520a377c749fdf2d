"""`install_import_hook`: whole packages are checked without a decorator in their source."""

from __future__ import annotations

import ast
import os
import re
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from shapecheck.runtime.decorator import CheckOptions, checked_function, checked_record, loading
from shapecheck.runtime.overlay import add_annotations
from shapecheck.runtime.switch import enabled

_FUNCTION = "__shapecheck_function__"
_RECORD = "__shapecheck_record__"
# Other compilers (torch.jit.script, triton.jit, numba.njit) read the source of these functions and do not call them.
_EXEMPTING = re.compile(r"\b(no_type_check|overload|n?jit|script|script_method|vectorize|guvectorize)\b")


class Hook:
    """An installed hook. As a context manager it is removed at the end."""

    def __init__(self, finder: MetaPathFinder | None) -> None:
        self._finder = finder

    def uninstall(self) -> None:
        """Modules that are imported from now on are not checked."""
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)

    def __enter__(self) -> Hook:
        return self

    def __exit__(self, *_: object) -> None:
        self.uninstall()


def install_import_hook(packages: str | Iterable[str], *, everything: bool = False) -> Hook:
    """Checks the functions and records of these packages in modules that are imported from now on.

    A function or record with an array in its annotations is checked, in all of its annotations; with `everything`, so
    are all others with annotations. Call it before the first import of the package. It returns a handle with
    `uninstall()`, which is also a context manager.
    """
    names = (packages,) if isinstance(packages, str) else tuple(packages)
    loaded = [name for name in names if name in sys.modules]
    if loaded:
        warnings.warn(f"{', '.join(loaded)}: already imported, so not checked; install the hook first", stacklevel=2)
    return _installed(_Finder(names, CheckOptions(everything=everything)))


def install_hook_with_annotations(packages: Iterable[str], annotated: Mapping[str, str]) -> Hook:
    """The same hook; some modules get the annotations of another text, by the real path of their file."""
    return _installed(_Finder(tuple(packages), CheckOptions(everything=False), annotated))


def _installed(finder: _Finder) -> Hook:
    if not enabled():
        return Hook(None)
    sys.meta_path.insert(0, finder)
    return Hook(finder)


def is_hooked(module: ModuleType) -> bool:
    """Whether a module was imported through the hook."""
    return _FUNCTION in vars(module)


class _Finder(MetaPathFinder):
    def __init__(
        self, names: tuple[str, ...], options: CheckOptions, annotated: Mapping[str, str] | None = None
    ) -> None:
        self.names = names
        self.options = options
        self.annotated = annotated or {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not any(fullname == name or fullname.startswith(f"{name}.") for name in self.names):
            return None
        # Only those after it: another hook may ask all others too.
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :] if self in sys.meta_path else ():
            if isinstance(finder, _Finder):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if type(spec.loader) is SourceFileLoader:
                    spec.loader = _Loader(spec.loader.name, spec.loader.path)
                    spec.loader.options = self.options
                    spec.loader.annotated = self.annotated.get(os.path.realpath(spec.loader.path))
                return spec
        return None


class _Loader(SourceFileLoader):
    options = CheckOptions()
    annotated: str | None = None
    """The text with the annotations; None if they are those of the source."""

    def path_stats(self, path: str) -> Any:
        # Without them the import system neither reads nor writes bytecode, which would be that of the plain source.
        raise OSError(path)

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]
        tree = ast.parse(data, path)
        if self.annotated is not None:
            add_annotations(tree, self.annotated)
        decorate(tree)
        return compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)

    def exec_module(self, module: ModuleType) -> None:
        space = vars(module)
        space[_FUNCTION] = partial(checked_function, options=self.options)
        space[_RECORD] = partial(checked_record, options=self.options)
        with loading(module.__name__):
            super().exec_module(module)


def decorate(tree: ast.Module) -> None:
    """Puts the checks next to each annotated function, under its other decorators, and above each class with fields."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if _is_exempt(node):
                continue
            if isinstance(node, ast.ClassDef):
                if any(isinstance(statement, ast.AnnAssign) for statement in node.body):
                    first = node.decorator_list[0] if node.decorator_list else node
                    node.decorator_list.insert(0, _name(_RECORD, first))
            elif _is_annotated(node):
                node.decorator_list.append(_name(_FUNCTION, node))
        pending.extend(ast.iter_child_nodes(node))


def _is_exempt(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return any(_EXEMPTING.search(ast.unparse(decorator)) for decorator in node.decorator_list)


def _is_annotated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return node.returns is not None or any(one is not None and one.annotation is not None for one in every)


def _name(name: str, node: ast.AST) -> ast.Name:
    return ast.copy_location(ast.Name(name, ast.Load()), node)
