"""`exec`: code that the analysis does not see may rebind the variables of the module."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import DictValue, Namespace
from shapecheck.static.domain.plain_values import is_plain
from shapecheck.static.engine.escape import havoc_escaped
from shapecheck.static.engine.run import Run


def execute(run: Run, node: ast.AST, code: Value, *spaces: Value) -> Value:
    """Makes the numbers and strings of the enclosing namespaces unknown, unless the code gets a dict of its own."""
    havoc_escaped(run, spaces)
    has_own = bool(spaces) and isinstance(spaces[0], DictValue)
    names: Namespace | None = None if has_own else run.frame.names
    while names is not None:
        for name, value in list(names.fields.items()):
            if isinstance(name, str) and is_plain(value):
                run.journal.write(names, name, Unknown(f"a variable {name} that exec() may have changed"))
        names = names.parent
    return None
