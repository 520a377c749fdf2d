"""Caches what a function finds in a syntax tree as long as the tree, so that a long-running process frees old files.

`functools.lru_cache` would keep thousands of nodes alive after the file that they belong to was edited.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

from shapecheck.project.observed_code import STATE, Observing, Unobserved

Node = TypeVar("Node", bound=ast.AST)
Result = TypeVar("Result")


def cached_on_node(function: Callable[[Node], Result]) -> Callable[[Node], Result]:
    """Caches the results of a function of one node, which must depend on nothing else, in the nodes themselves.

    Every result is stored with a weak reference to its node: a copy of a node has the attributes of the original, but
    may be changed afterwards, so the results are not valid for it. What a function reads in a whole file is among the
    marks that `file_marks` compares, so it does not count as an observation of each function in it.
    """
    key = f"{function.__module__}.{function.__qualname__}"  # the dots keep it apart from the names of fields

    @wraps(function)
    def cached(node: Node) -> Result:
        facts = node.__dict__
        try:
            owner, result, observed = facts[key]
        except KeyError:
            pass
        else:
            if owner() is node:
                if observed:
                    STATE.current |= observed
                return result  # type: ignore[no-any-return]
        with Unobserved() if isinstance(node, ast.Module) else Observing() as observed:
            result = function(node)
        facts[key] = (ref(node), result, observed)
        return result

    return cached
