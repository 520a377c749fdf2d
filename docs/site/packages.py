"""The imports between the packages and top-level modules of `shapecheck`, as the code has them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import grimp

from docs.site.marked import table
from shapecheck.config.load import parse_toml

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGE = "shapecheck"


@cache
def imports() -> frozenset[tuple[str, str]]:
    """Pairs of packages, the first of which imports the second."""
    graph = grimp.build_graph(_PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    known = {package for row in rows() for package in row}
    pairs = {
        (_part(importer), _part(imported))
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
    }
    return frozenset((one, other) for one, other in pairs if one != other and {one, other} <= known)


def rows() -> list[list[str]]:
    """The packages from the upper layer to the lower, from the contract in pyproject.toml."""
    [layers] = [one["layers"] for one in _contracts() if one.get("containers") == [_PACKAGE]]
    return [[name.strip() for name in layer.split("|")] for layer in layers]


def contracts() -> str:
    """The names of the import contracts, one per line."""
    return "".join(f"- {one['name']}.\n" for one in _contracts())


def _contracts() -> list[dict[str, Any]]:
    settings: Any = parse_toml((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def packages_table() -> str:
    """Each package with the first paragraph of its docstring, and the packages that it imports."""
    packages = [package for row in rows() for package in row]
    order = {package: place for place, package in enumerate(packages)}
    cells = []
    for package in packages:
        imported = sorted((other for one, other in imports() if one == package), key=order.__getitem__)
        cells.append(
            (f"`{_file(package)}`", _purpose(package), ", ".join(f"`{name}`" for name in imported) or "nothing")
        )
    return table(("package", "purpose", "imports"), cells)


def _part(module: str) -> str:
    return ".".join(module.split(".")[1:2])


def _file(package: str) -> str:
    return f"{package}/" if (_ROOT / _PACKAGE / package).is_dir() else f"{package}.py"


def _purpose(package: str) -> str:
    path = _ROOT / _PACKAGE / _file(package)
    text = (path / "__init__.py" if path.is_dir() else path).read_text(encoding="utf-8")
    said = ast.get_docstring(ast.parse(text)) or ""
    return " ".join(said.partition("\n\n")[0].split())
