"""Whether a name occurs anywhere in a repository but where methods read it of their objects."""

from __future__ import annotations

import ast
import re

from shapecheck.project.identifiers import Identifiers, root_of
from shapecheck.project.tree_walk import walk
from shapecheck.static.engine.run import Run


def occurs_elsewhere(run: Run, name: str) -> bool:
    """Whether a name occurs in another way than `self.name`, in the same file or in another one of the repository."""
    loaded = run.loaded
    reads = [one for one in walk(loaded.tree) if isinstance(one, ast.Attribute) and one.attr == name and _is_read(one)]
    if len(re.findall(rf"\b{re.escape(name)}\b", loaded.text)) > len(reads):
        return True
    path = loaded.path.absolute()
    known, root = run.session.identifiers, root_of(path)
    if root not in known:
        known[root] = Identifiers(root, run.session.project.content)
    return not known[root].is_searchable or bool(known[root].files_with(name) - {path})


def _is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and node.value.id == "self"
