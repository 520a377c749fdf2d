"""Caches what a function finds in a syntax tree as long as the tree, so that a long-running process frees old files.

`functools.lru_cache` would keep thousands of nodes alive after the file that they belong to was edited.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from weakref import ref

Node = TypeVar("Node", bound=ast.AST)
Result = TypeVar("Result")


def cached_on_node(function: Callable[[Node], Result]) -> Callable[[Node], Result]:
    """Caches the results of a function of one node, which must depend on nothing else, in the nodes themselves.

    Every result is stored with a weak reference to its node: a copy of a node has the attributes of the original, but
    may be changed afterwards, so the results are not valid for it.
    """
    key = f"{function.__module__}.{function.__qualname__}"  # the dots keep it apart from the names of fields

    @wraps(function)
    def cached(node: Node) -> Result:
        facts = node.__dict__
        try:
            owner, result = facts[key]
        except KeyError:
            pass
        else:
            if owner() is node:
                return result  # type: ignore[no-any-return]
        entry: tuple[Any, Result] = (ref(node), function(node))
        facts[key] = entry
        return entry[1]

    return cached
