"""Which room of `shapecheck`, a folder or file of the package, imports which: read from the imports themselves."""

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
    """Pairs of rooms, the first of which imports the second."""
    graph = grimp.build_graph(_PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    known = {room for row in rows() for room in row}
    pairs = {
        (_room(importer), _room(imported))
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
    }
    return frozenset((one, other) for one, other in pairs if one != other and {one, other} <= known)


def rows() -> list[list[str]]:
    """The rooms from the upper layer to the lower, as the contract in pyproject.toml has them."""
    [layers] = [one["layers"] for one in _contracts() if one.get("containers") == [_PACKAGE]]
    return [[name.strip() for name in layer.split("|")] for layer in layers]


def contracts() -> str:
    """What the contracts say, a line each."""
    return "".join(f"- {one['name']}.\n" for one in _contracts())


def _contracts() -> list[dict[str, Any]]:
    settings: Any = parse_toml((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def rooms_table() -> str:
    """Each room with what its docstring says first, and what it imports of ours."""
    rooms = [room for row in rows() for room in row]
    order = {room: place for place, room in enumerate(rooms)}
    cells = []
    for room in rooms:
        imported = sorted((other for one, other in imports() if one == room), key=order.__getitem__)
        cells.append((f"`{_file(room)}`", _purpose(room), ", ".join(f"`{name}`" for name in imported) or "nothing"))
    return table(("room", "what for", "imports, of ours"), cells)


def _room(module: str) -> str:
    return ".".join(module.split(".")[1:2])


def _file(room: str) -> str:
    return f"{room}/" if (_ROOT / _PACKAGE / room).is_dir() else f"{room}.py"


def _purpose(room: str) -> str:
    path = _ROOT / _PACKAGE / _file(room)
    text = (path / "__init__.py" if path.is_dir() else path).read_text(encoding="utf-8")
    said = ast.get_docstring(ast.parse(text)) or ""
    return " ".join(said.partition("\n\n")[0].split())
