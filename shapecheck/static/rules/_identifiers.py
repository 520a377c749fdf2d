"""Whether a name occurs anywhere in a repository but where methods read it of their objects."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

from shapecheck.project.files import find_files
from shapecheck.project.tree_walk import walk
from shapecheck.static.engine.run import Run

_MOST_FILES = 4000
_MOST_FOLDERS = 8
"""Between a file and the root of its repository."""
_ROOTS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg")


def occurs_elsewhere(run: Run, name: str) -> bool:
    """Whether a name occurs in another way than `self.name`, in the same file or in another one of the repository."""
    loaded = run.loaded
    reads = [one for one in walk(loaded.tree) if isinstance(one, ast.Attribute) and one.attr == name and _is_read(one)]
    pattern = re.compile(rf"\b{re.escape(name)}\b")
    if len(pattern.findall(loaded.text)) > len(reads):
        return True
    files = _files(_root(loaded.path.absolute()))
    if not 0 < len(files) <= _MOST_FILES:
        return True
    content, searched = run.session.project.content, name.encode()
    return any(_occurs(pattern, content(one), searched) for one in files if one != loaded.path.absolute())


def _is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _occurs(pattern: re.Pattern[str], content: bytes, name: bytes) -> bool:
    return name in content and pattern.search(content.decode(errors="replace")) is not None


def _root(path: Path) -> Path:
    """The root of the repository of a file; if there is none, that of its package."""
    above = list(path.parents)[:_MOST_FOLDERS]
    for folder in above:
        if any((folder / one).exists() for one in _ROOTS):
            return folder
    packages = [one for one in above if (one / "__init__.py").exists()]
    return packages[-1] if packages else path.parent


@lru_cache(maxsize=4)
def _files(root: Path) -> tuple[Path, ...]:
    return tuple(find_files([root]).files)
