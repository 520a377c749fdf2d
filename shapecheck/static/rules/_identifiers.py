"""Whether a name occurs anywhere in a repository but where methods read it of their objects."""

from __future__ import annotations

import ast
import re

from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.callee_names import is_of_self
from shapecheck.static.engine.run import Run


def occurs_elsewhere(run: Run, name: str) -> bool:
    """Whether a name occurs in another way than `self.name`, in the same file or in another one of the repository."""
    loaded = run.loaded
    reads = [one for one in walk(loaded.tree) if isinstance(one, ast.Attribute) and one.attr == name and _is_read(one)]
    if len(re.findall(rf"\b{re.escape(name)}\b", loaded.text)) > len(reads):
        return True
    around = run.session.project.identifiers_around(loaded.path)
    return not around.is_searchable or bool(around.files_with(name) - {loaded.path.absolute()})


def _is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load) and is_of_self(node)
