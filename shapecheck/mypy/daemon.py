"""Makes the daemon check a file again when only a dependency of its findings has changed.

The daemon checks a file's top level again when a name that it uses has changed or when it had errors, and has no hook
for this. So each file gets an additional statement, `"<mark>".__doc__`, whose attribute hook is called whenever the
top level is checked; a hidden name that changes with everything that the file reaches; and dependencies on the hidden
names of its imports.
"""

from __future__ import annotations

from mypy.nodes import (
    GDEF,
    Context,
    ExpressionStmt,
    Import,
    ImportAll,
    ImportFrom,
    MemberExpr,
    MypyFile,
    StrExpr,
    SymbolTableNode,
    Var,
)
from mypy.server.trigger import make_trigger
from mypy.util import correct_relative_import

_MARK = "shapecheck"
_HIDDEN = "shapecheck@"
"""Not an identifier, and mypy keeps names with an @ when it empties a file's table of names."""


def plant(file: MypyFile) -> None:
    """Adds the statement to a parsed file, at the start because the end may be unreachable."""
    first = file.defs[0]
    if isinstance(first, ExpressionStmt) and is_planted(first.expr):
        return
    statement = ExpressionStmt(MemberExpr(StrExpr(_MARK), "__doc__"))
    for node in (statement, statement.expr):
        node.set_line(1)
    file.defs.insert(0, statement)


def is_planted(context: Context) -> bool:
    """Whether a hook was called about that statement."""
    match context:
        case MemberExpr(expr=StrExpr(value=value), name="__doc__"):
            return bool(value == _MARK)
    return False


def publish(file: MypyFile, digest: str | None) -> None:
    """Sets the hidden name; who depends on it is checked again if the digest is another one."""
    hidden = Var(_HIDDEN)
    hidden._fullname = f"{file.fullname}.{digest}"
    file.names[_HIDDEN] = SymbolTableNode(GDEF, hidden, module_public=False, module_hidden=True)


def follow(file: MypyFile) -> None:
    """Makes the file's top level depend on the hidden names of all that it may import, there or not."""
    for module in _imported(file):
        file.plugin_deps.setdefault(make_trigger(f"{module}.{_HIDDEN}"), set()).add(file.fullname)


def _imported(file: MypyFile) -> set[str]:
    found: set[str] = set()
    for one in file.imports:
        if isinstance(one, Import):
            for name, _ in one.ids:
                parts = name.split(".")
                found.update(".".join(parts[:end]) for end in range(1, len(parts) + 1))
        elif isinstance(one, (ImportFrom, ImportAll)):
            base, _ = correct_relative_import(file.fullname, one.relative, one.id, file.is_package_init_file())
            found.add(base)
            if isinstance(one, ImportFrom):
                found.update(f"{base}.{name}" for name, _ in one.names)
    return found
