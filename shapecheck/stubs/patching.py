"""The stub of a file of torch with a patch applied."""

from __future__ import annotations

import ast

from shapecheck.stubs.declared import names_of
from shapecheck.stubs.flags import flag_classes
from shapecheck.stubs.patches import Patch
from shapecheck.stubs.skeleton import stub_text


def patched(source: str, patch: Patch) -> str:
    """The stub for `source`, changed by `patch`."""
    tree = ast.parse(source)
    classes = patch.classes + (flag_classes(tree, patch.flag) if patch.flag else "")
    targets = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for change in ast.parse(classes).body:
        if isinstance(change, ast.ClassDef) and change.name in targets:
            _merge(change, targets[change.name])
    return stub_text(tree, patch.head)


def _merge(change: ast.ClassDef, target: ast.ClassDef) -> None:
    """Replace the members of the target by the changed ones, unless the target has other bases than expected."""
    bases = [ast.unparse(base) for base in change.bases]
    if [base for base in bases if not base.startswith("Generic[")] != [ast.unparse(base) for base in target.bases]:
        return
    new = {name for node in change.body for name in names_of(node)}
    target.bases = change.bases
    target.body = [node for node in target.body if new.isdisjoint(names_of(node))] + change.body
