"""Random edits of Python source, as people make them: of bodies, signatures, classes, constants, comments, imports."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable

Editor = Callable[[random.Random, str, ast.Module], "str | None"]
"""The text after an edit; None if there is nothing to edit."""


def edited(choice: random.Random, text: str) -> tuple[str, str] | None:
    """The kind of an edit and the text after it; None if there is nothing to edit."""
    editor = choice.choice(_EDITORS)
    try:
        found = editor(choice, text, ast.parse(text))
    except SyntaxError:
        return None
    return None if found is None or found == text else (editor.__name__.strip("_"), found)


def _comment(choice: random.Random, text: str, _: ast.Module) -> str:
    at = choice.randrange(text.count("\n") + 1)
    return _with_lines(text, at, at, choice.choice(["# a comment\n", "# (n, 3)\n", "# self.width = 3\n", "\n"]))


def _statement(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    body = _body(choice, tree)
    one = choice.choice(body) if body else None
    if one is None or one.lineno == 1:
        return None
    added = choice.choice(["x = x + 1\n", "print(1)\n", "if len(str(1)) > 5:\n        return None\n", "import math\n"])
    return _with_lines(text, one.lineno - 1, one.lineno - 1, " " * one.col_offset + added)


def _removed_statement(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    body = _body(choice, tree)
    one = choice.choice(body) if body else None
    return one and _with_lines(text, one.lineno - 1, one.end_lineno, " " * one.col_offset + "pass\n")


def _number(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    numbers = [one for one in ast.walk(tree) if isinstance(one, ast.Constant) and type(one.value) is int]
    one = choice.choice(numbers) if numbers else None
    if one is None:
        return None
    line = text.splitlines(keepends=True)[one.lineno - 1]
    changed = f"{line[: one.col_offset]}{one.value + choice.choice([1, 2, -1])}{line[one.end_col_offset :]}"
    return _with_lines(text, one.lineno - 1, one.lineno, changed)


def _renamed_attribute(choice: random.Random, text: str, _: ast.Module) -> str | None:
    names = sorted(set(re.findall(r"\bself\.(\w+) =", text)))
    return re.sub(rf"\bself\.{name}\b", f"self.{name}2", text) if names and (name := choice.choice(names)) else None


def _signature(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    one = choice.choice(functions) if functions else None
    if one is None:
        return None
    line = text.splitlines(keepends=True)[one.lineno - 1]
    changed = line.replace("):", ", more=1):") if one.args.args else line.replace("():", "(more=1):")
    return _with_lines(text, one.lineno - 1, one.lineno, changed)


def _definition(choice: random.Random, text: str, tree: ast.Module) -> str:
    names = [one.name for one in tree.body if isinstance(one, ast.ClassDef)] or ["object"]
    base = choice.choice(names)
    added = choice.choice(
        [
            "def added(x):\n    return x\n",
            "ADDED = 3\n",
            f"class Added({base}):\n    def forward(self, x):\n        return x\n",
            f"class Plain({base}):\n    pass\n",
            "import math\n",
            "def setting(net):\n    net.width = None\n",
        ]
    )
    return f"{text}\n\n{added}"


def _removed_definition(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    one = choice.choice(tree.body) if tree.body else None
    first = min([one.lineno, *(each.lineno for each in getattr(one, "decorator_list", ()))]) if one else 0
    return one and _with_lines(text, first - 1, one.end_lineno, "")


def _swapped_definitions(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    pairs = [
        (one, other)
        for one, other in zip(tree.body, tree.body[1:], strict=False)
        if isinstance(one, _DEFINING) and isinstance(other, _DEFINING)
    ]
    if not pairs:
        return None
    one, other = choice.choice(pairs)
    at = tree.body.index(one)
    return "\n\n".join(ast.unparse(each) for each in (*tree.body[:at], other, one, *tree.body[at + 2 :]))


def _body(choice: random.Random, tree: ast.Module) -> list[ast.stmt]:
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    return choice.choice(functions).body if functions else []


def _with_lines(text: str, start: int, end: int | None, new: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:start], new, *lines[end:]])


_DEFINING = (ast.FunctionDef, ast.ClassDef)
_EDITORS: tuple[Editor, ...] = (
    _comment,
    _statement,
    _statement,
    _removed_statement,
    _number,
    _number,
    _renamed_attribute,
    _signature,
    _definition,
    _removed_definition,
    _swapped_definitions,
)
