"""The syntax tree of a function or a class that is loaded."""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=64)
def source_tree(target: Any) -> ast.Module | None:
    """The tree of a function, a class or a module, without its decorators' wrappers; None without source."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(target))))
    except (OSError, TypeError, SyntaxError):
        return None
