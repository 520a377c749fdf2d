"""How a file can spell `typing.X`: with a name that it has imported, or with a new import."""

from __future__ import annotations

import ast

from shapecheck.project.scope import File

_HOMES = {"typing", "typing_extensions"}


def typing_name(file: File, name: str, before: int) -> str | None:
    """The expression for `typing.<name>` at module level above line `before`; None if it must be imported.

    Only unconditional top-level statements count: a name bound inside an `if` or `try` may be missing at run time.
    """
    by_module = None
    for statement in file.tree.body:
        if statement.lineno >= before:
            break
        if isinstance(statement, ast.ImportFrom):
            if statement.module in _HOMES or name == "TYPE_CHECKING":
                bound = next((a.asname or a.name for a in statement.names if a.name == name), None)
                if bound:
                    return bound
        elif isinstance(statement, ast.Import):
            module = next((a.asname or a.name for a in statement.names if a.name == "typing"), None)
            by_module = by_module or module
        elif _assigns(statement, name):
            return name
    return f"{by_module}.{name}" if by_module else None


def _assigns(statement: ast.stmt, name: str) -> bool:
    if isinstance(statement, ast.AnnAssign):
        return isinstance(statement.target, ast.Name) and statement.target.id == name
    return isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == name for target in statement.targets
    )
