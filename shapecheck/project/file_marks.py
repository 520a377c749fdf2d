"""What the analysis searches for in the source of a whole file, whichever definition it is in.

Code that sets, fills or replaces something anywhere in a file makes it unknown for all users of the file. The facts
are functions of the marks: if these are the same before and after an edit, so are the facts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterator

from shapecheck.project.tree_walk import children_of, walk

_FILLING = """
    append appendleft extend insert add update setdefault pop popitem remove discard clear add_module register_module
    register_buffer register_parameter resize_ resize_as_ set_
""".split()
_OPERATOR = r"[ ]*(?:[-+*/|&@%^]|//|\*\*|<<|>>)?=(?!=)"
_REMOVALS = re.compile(r"^.*Identity\(\).*$", re.MULTILINE)
"""Assignments of `nn.Identity()`, which remove a layer unless another one sets the attribute to something else."""
_PATTERNS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rf"^[ \t]*(.*\.[ \t]*\w+)\s*{_OPERATOR}",  # an attribute that is set, with what it belongs to
        r"^[ \t]*\(?((?:[\w.\[\]]+[ ]*,[ ]*)*[\w\[\]]*\.[\w.\[\], ]+)\)?[ ]*=(?!=)",  # several at once
        rf"^[ \t]*(.*\.(?:{'|'.join(_FILLING)}))\(",  # a collection that is filled
        rf"^[ \t]*(.*\]){_OPERATOR}",  # an item that is set
        r"(?<![\w.])(\w+)[ ]*(?:[-+*/|&@%^]|//|\*\*)=(?!=)",
        r"^[ \t]*(.*(?:setattr|patch|__dict__|delattr|vars\().*)$",
        r"\bsetattr\(\s*([^,\n]+,\s*(?:[\"']\w+[\"'])?)",
        r"^(\w*[a-z]\w*)\s*=(?!=)",  # perhaps a function that is replaced
        r"\b((?:global|nonlocal) [^\n]*(?:\\\n[^\n]*)*)",
    )
)
_WORDS = (
    "yield",
    "TYPE_CHECKING",
    "set_default_dtype",
    "set_default_tensor_type",
    "torch",
    "jaxtyping",
    "metaclass",
    "__init_subclass__",
    "__set_name__",
    "from __future__",
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_PARTS = frozenset("children named_children modules named_modules _modules items values keys pop insert".split())
_READING = frozenset("enumerate zip reversed list tuple iter next len getattr".split())


def marks_of(text: str) -> set[Hashable]:
    """The marks of the text of a file or of parts of it, comments and strings included."""
    found: set[Hashable] = {word for word in _WORDS if word in text}
    found.update(_REMOVALS.findall(text) if "Identity()" in text else ())
    rest = _REMOVALS.sub("", text) if "Identity()" in text else text
    for number, pattern in enumerate(_PATTERNS):
        found.update((number, one) for one in pattern.findall(rest))
    return found


def imports_relatively(nodes: Iterator[ast.AST]) -> bool:
    """Whether these nodes of a file include relative imports; without any, it may be a script, with other imports."""
    return any(isinstance(one, ast.ImportFrom) and one.level for one in nodes)


def filled_by(node: ast.AST) -> set[str]:
    """The names of collections that functions in a definition fill, each with the function and how."""
    return set(_filled(node, ""))


def _filled(node: ast.AST, function: str) -> Iterator[str]:
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        function = f"{function}.{getattr(node, 'name', '')}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FILLING:
        yield f"{function}: {last_name(node.func.value)}.{node.func.attr}"
    elif isinstance(node, ast.AugAssign):
        yield f"{function}: {last_name(node.target)}"
    for child in children_of(node):
        yield from _filled(child, function)


def read_in_parts(node: ast.AST) -> set[str]:
    """The last names of what code iterates over, subscripts, or passes to functions that do."""
    found: set[str] = set()
    for one in walk(node):
        if isinstance(one, (ast.For, ast.AsyncFor, ast.comprehension)):
            found.add(last_name(one.iter))
        elif isinstance(one, (ast.Subscript, ast.Starred)) or (isinstance(one, ast.Attribute) and one.attr in _PARTS):
            found.add(last_name(one.value))
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in _READING:
            found.update(map(last_name, one.args))
    return found


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c` and of `c`; empty for any other expression."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
