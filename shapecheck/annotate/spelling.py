"""How a file can spell the names that annotations need, and which of them it must import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

_TORCH = "torch"
_JAXTYPING = "jaxtyping"
_TYPING = ("typing", "typing_extensions")


@dataclass
class Spelling:
    """The names of one file. `missing` collects the names to import, by module."""

    tree: ast.Module
    missing: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._imported: dict[tuple[str, str], str] = {}
        self._modules: dict[str, str] = {}
        self._bound: set[str] = set()
        for one in self.tree.body:
            self._bound.update(_bound_by(one))
            if isinstance(one, ast.Import):
                for alias in one.names:
                    if alias.asname or "." not in alias.name:
                        self._modules.setdefault(alias.name, alias.asname or alias.name)
            elif isinstance(one, ast.ImportFrom) and not one.level:
                for alias in one.names:
                    self._imported.setdefault((one.module or "", alias.name), alias.asname or alias.name)

    @property
    def tensor(self) -> str:
        """`torch.Tensor`."""
        return self._name(_TORCH, "Tensor")

    def of_jaxtyping(self, name: str) -> str:
        """A class of jaxtyping."""
        return self._name(_JAXTYPING, name)

    def any(self) -> str:
        """`typing.Any`."""
        return self._name("typing", "Any")

    def union(self) -> str:
        """`typing.Union`."""
        return self._name("typing", "Union")

    @property
    def optional(self) -> str | None:
        """`typing.Optional` if the file uses it; else None."""
        return next((found for home in _TYPING if (found := self._imported.get((home, "Optional")))), None)

    def _name(self, module: str, name: str) -> str:
        known = self._imported.get((module, name))
        if known is not None:
            return known
        if module in self._modules:
            return f"{self._modules[module]}.{name}"
        if name in self._bound:
            self.missing.setdefault(module, set()).add("")
            return f"{module}.{name}"
        self.missing.setdefault(module, set()).add(name)
        return name

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether an expression is `Tensor` or `torch.Tensor`, also in a string."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value in ("Tensor", "torch.Tensor")
        if isinstance(node, ast.Name):
            return self._imported.get((_TORCH, "Tensor")) == node.id
        return isinstance(node, ast.Attribute) and ast.unparse(node) == f"{self._modules.get(_TORCH)}.Tensor"


def _bound_by(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((one.asname or one.name).partition(".")[0] for one in node.names)
    else:
        yield from (one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
