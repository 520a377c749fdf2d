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
    added = choice.choice(_STATEMENTS)
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


def _renamed_parameter(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.args.args]
    one = choice.choice(functions) if functions else None
    if one is None:
        return None
    name = choice.choice(one.args.args).arg
    lines = text.splitlines(keepends=True)[one.lineno - 1 : one.end_lineno]
    return _with_lines(text, one.lineno - 1, one.end_lineno, re.sub(rf"\b{name}\b", f"{name}_", "".join(lines)))


def _decorator(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    defined = [one for one in ast.walk(tree) if isinstance(one, _DEFINING)]
    one = choice.choice(defined) if defined else None
    if one is None:
        return None
    if one.decorator_list and choice.randrange(2):
        return _with_lines(text, one.decorator_list[0].lineno - 1, one.decorator_list[0].end_lineno, "")
    names = ["staticmethod", "torch.no_grad()", *(each.name for each in tree.body if isinstance(each, ast.FunctionDef))]
    return _with_lines(text, one.lineno - 1, one.lineno - 1, f"{' ' * one.col_offset}@{choice.choice(names)}\n")


def _docstring(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    body = choice.choice([one.body for one in ast.walk(tree) if isinstance(one, _DEFINING)] or [[]])
    if not body or body[0].lineno == 1:
        return None
    indent, first = " " * body[0].col_offset, body[0]
    is_documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    stated = choice.choice(["(n, 8)", "(n, 4)", "(a, b, c)"])
    added = f"{indent}'''Text.\n\n{indent}Args:\n{indent}    x: Tensor of shape {stated}.\n{indent}'''\n"
    return _with_lines(text, first.lineno - 1, first.end_lineno if is_documented else first.lineno - 1, added)


def _trailing_comment(choice: random.Random, text: str, _: ast.Module) -> str:
    lines = text.splitlines(keepends=True)
    at = choice.randrange(len(lines)) if lines else 0
    comment = choice.choice(["# shapecheck: ignore", "# noqa", "# (n, 8)", "# shared with the decoder", "# B, N"])
    return _with_lines(text, at, at + 1, f"{lines[at].rstrip()}  {comment}\n" if lines else f"{comment}\n")


def _exports(choice: random.Random, text: str, tree: ast.Module) -> str:
    names = [one.name for one in tree.body if isinstance(one, _DEFINING)]
    listed = sorted(choice.sample(names, choice.randrange(len(names) + 1)))
    return f"{text}\n__all__ = {listed!r}\n"


def _base(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    classes = [one for one in tree.body if isinstance(one, ast.ClassDef) and one.bases]
    one = choice.choice(classes) if classes else None
    if one is None:
        return None
    line = text.splitlines(keepends=True)[one.lineno - 1]
    other = choice.choice(["object", "torch.nn.Module", "torch.nn.Linear", *(each.name for each in classes)])
    return _with_lines(text, one.lineno - 1, one.lineno, re.sub(r"\(.*\)", f"({other})", line))


def _moved_statement(choice: random.Random, text: str, tree: ast.Module) -> str | None:
    body = _body(choice, tree)
    if len(body) < 2:
        return None
    one, other = sorted(choice.sample(body, 2), key=lambda each: each.lineno)
    lines = text.splitlines(keepends=True)
    return "".join(
        [
            *lines[: one.lineno - 1],
            *lines[other.lineno - 1 : other.end_lineno],
            *lines[one.end_lineno : other.lineno - 1],
            *lines[one.lineno - 1 : one.end_lineno],
            *lines[other.end_lineno :],
        ]
    )


def _removed_line(choice: random.Random, text: str, _: ast.Module) -> str | None:
    at = choice.randrange(text.count("\n") + 1)
    found = _with_lines(text, at, at + 1, "")
    return found if choice.randrange(4) == 0 or _parses(found) else None


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


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
            f"def configure(net):\n    setattr(net, 'fused', True)\n\n\n{base}.scaled = None\n",
            f"class {base}({base}):\n    def scaled(self, x):\n        return x[:1]\n",
            "def __getattr__(name):\n    return 3\n",
            "if str(1) == '2':\n    WIDTH = 16\n",
            "from .sizes import *\n",
            "for name in list(globals()):\n    print(name)\n",
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
_STATEMENTS = (
    "x = x + 1\n",
    "print(1)\n",
    "if len(str(1)) > 5:\n        return None\n",
    "import math\n",
    "self.extra = None\n",
    "x.fused = True\n",
    "global WIDTH\n",
    "NAMES.append('c')\n",
    "OPTIONS['depth'] = 3\n",
    "yield x\n",
    "from pkg import sizes\n",
    "for one in self.children(): x = one\n",
)
_EDITORS: tuple[Editor, ...] = (
    _comment,
    _statement,
    _statement,
    _removed_statement,
    _number,
    _number,
    _renamed_attribute,
    _signature,
    _renamed_parameter,
    _decorator,
    _docstring,
    _trailing_comment,
    _exports,
    _base,
    _moved_statement,
    _removed_line,
    _definition,
    _removed_definition,
    _swapped_definitions,
)
