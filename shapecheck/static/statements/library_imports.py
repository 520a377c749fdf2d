"""The bodies of modules of installed libraries, and their imports, which bind names that are resolved when used."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.project.exports import absolute_name, exports_of
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.engine.budget import LibraryBudget
from shapecheck.static.engine.dispatch import run_block
from shapecheck.static.engine.library_names import imported_name, imports_of, package_of
from shapecheck.static.engine.library_registries import registries_of
from shapecheck.static.engine.run import Run

_MOST_STEPS = 5_000
"""Of one statement, such as a table of all models."""


def run_library_body(run: Run, names: Namespace) -> None:
    """Runs the statements of a module; the names of one that fails or takes too long are unknown."""
    for node in names.loaded.tree.body:
        mark = run.journal.mark()
        try:
            with run.scope(budget=LibraryBudget(_MOST_STEPS)):
                run_block(run, [node])
        except Exception:  # the engine gives up on this statement, not on the module
            run.journal.undo(mark)
            run.journal.rejoin(mark)
            for name in exports_of(ast.Module([node], [])).defined:
                run.journal.write(names, name, Unknown(f"a variable {name} of a library"))
    for name, registry in registries_of(names):
        run.journal.write(names, name, registry)


def run_library_import(run: Run, node: ast.Import | ast.ImportFrom) -> None:
    """Binds the names of an import in a library; `import *` binds none (`library_names.LibraryFields`)."""
    bound = partial(imported_name, run.session, imports_of(run.session, run.loaded))
    if isinstance(node, ast.Import):
        for one in node.names:
            dotted = one.name if one.asname else one.name.partition(".")[0]
            run.journal.write(run.frame.names, one.asname or dotted, bound(dotted))
        return
    module = absolute_name(package_of(run.loaded), node.level, node.module or "")
    for one in node.names:
        if one.name != "*":
            run.journal.write(run.frame.names, one.asname or one.name, bound(f"{module}.{one.name}"))


def lacks_import(run: Run, body: Sequence[ast.stmt]) -> bool:
    """Whether statements begin with an import of a package that is not installed next to the library."""
    first = body[0]
    if isinstance(first, ast.Import):
        return any(not run.project.is_installed(one.name) for one in first.names)
    return isinstance(first, ast.ImportFrom) and not first.level and not run.project.is_installed(first.module or "")


def handles_import_error(node: ast.ExceptHandler) -> bool:
    """Whether a handler is run for an import that fails."""
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(one is None or last_name(one) in _IMPORT_ERRORS for one in kinds)


_IMPORT_ERRORS = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))
