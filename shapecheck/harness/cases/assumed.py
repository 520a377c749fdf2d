"""A configuration for a class without annotations, made up from the attributes that its module reads."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from types import SimpleNamespace
from typing import Any

SMALL = 8
"""For sizes that are made up: equal sizes are multiples of each other."""
_FLAG = re.compile(r"(use|is|has|with|tie|add|share)_\w+|\w*bias|causal|learned")
_RULES: tuple[tuple[re.Pattern[str], Any], ...] = (
    (re.compile(r"\w*(drop|prob|rate|eps|std|momentum|decay)\w*"), 0.1),
    (re.compile(r"(\w+_)?n?_?(layers?|depth|blocks)|num_\w*layers"), 2),
    (re.compile(r"\w*(block_size|vocab_size|context|positions|(seq|max)_?len(gth)?)|n_ctx|max_\w+"), 64),
    (_FLAG, True),
)


def assumed_configuration(target: Any, name: str) -> SimpleNamespace | None:
    """An object with the attributes that the module of a class reads from its parameter; None if there are none.

    Classes that the constructor passes it to have a parameter of the same name as a rule, so the whole module counts.
    """
    try:
        own = ast.parse(textwrap.dedent(inspect.getsource(target)))
        module = inspect.getmodule(target)
        every = own if module is None else ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return None
    if not _attributes(own, name):
        return None
    return SimpleNamespace(**{one: _value(one) for one in _attributes(every, name)})


def _attributes(tree: ast.AST, name: str) -> list[str]:
    """The attributes that are read from a name, and not called."""
    called = {id(one.func) for one in ast.walk(tree) if isinstance(one, ast.Call)}
    found = [
        one.attr
        for one in ast.walk(tree)
        if isinstance(one, ast.Attribute)
        and isinstance(one.value, ast.Name)
        and one.value.id == name
        and id(one) not in called
    ]
    return list(dict.fromkeys(found))


def _value(attribute: str) -> Any:
    return next((value for rule, value in _RULES if rule.fullmatch(attribute)), SMALL)
