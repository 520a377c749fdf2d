"""`try: from torch.nn.functional import f` - imports of what torch and Python bring never lead to their handlers."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

from shapecheck.static.domain.torch_names import is_modelled


def cannot_fail(body: Sequence[ast.stmt]) -> bool:
    """Whether statements are nothing but such imports, and constants that are given names."""
    return all(map(_is_safe, body))


def _is_safe(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import):
        return all(_is_there(one.name) for one in node.names)
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        return not node.level and all(_is_there(module) and _is_member(module, one.name) for one in node.names)
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
        return False
    return all(isinstance(one, ast.Name) for one in node.targets)


def _is_there(module: str) -> bool:
    return module in _OF_TORCH or module in sys.stdlib_module_names


_OF_TORCH = frozenset(("torch", "torch.nn", "torch.nn.functional", "torch.utils.data"))


def _is_member(module: str, name: str) -> bool:
    """Whether this torch has it; what Python has, its version says."""
    return module in _OF_TORCH and is_modelled(f"{module}.{name}")
