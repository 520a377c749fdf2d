"""No import cycles between modules, counting the imports inside functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import shapecheck

PACKAGE = Path(shapecheck.__file__).parent
STATIC = PACKAGE / "static"


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def imports_in(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports at any depth that run, so not those under `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child
        elif not is_for_type_checkers(child):
            yield from imports_in(child)


def imported_modules(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in imports_in(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif node.module is not None:
            submodules = {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys()
            found |= submodules or {node.module}
    return found & MODULES.keys()


def test_no_module_imports_itself_through_others() -> None:
    graph = {name: imported_modules(ast.parse(path.read_text("utf-8"))) for name, path in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        pytest.fail("import cycle: " + " <- ".join(cycle.args[1]))


def test_the_static_engine_has_no_module_beside_its_packages() -> None:
    assert [path.name for path in STATIC.glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize("package", sorted(path.parent.name for path in STATIC.glob("*/__init__.py")))
def test_every_package_of_the_static_engine_says_what_belongs_there_and_what_does_not(package: str) -> None:
    docstring = ast.get_docstring(ast.parse((STATIC / package / "__init__.py").read_text("utf-8")))
    assert docstring is not None
    assert "Not here:" in docstring
