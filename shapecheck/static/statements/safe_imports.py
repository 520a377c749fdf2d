"""`try: from torch.nn.functional import f`: imports from torch and the standard library that cannot fail."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

from shapecheck.static.domain.torch_names import is_modelled


def cannot_fail(body: Sequence[ast.stmt]) -> bool:
    """Whether the statements are only such imports and assignments of constants to names."""
    return all(map(_is_safe, body))


def _is_safe(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import):
        return all(_is_installed(one.name) for one in node.names)
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        return not node.level and all(_is_installed(module) and _is_member(module, one.name) for one in node.names)
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
        return False
    return all(isinstance(one, ast.Name) for one in node.targets)


def _is_installed(module: str) -> bool:
    return module in _TORCH_MODULES or module in sys.stdlib_module_names


_TORCH_MODULES = frozenset(("torch", "torch.nn", "torch.nn.functional", "torch.utils.data"))


def _is_member(module: str, name: str) -> bool:
    """Whether a module of torch has this member; False for the standard library, where that depends on its version."""
    return module in _TORCH_MODULES and is_modelled(f"{module}.{name}")
