"""Reads the claims of a function: from its docstring, from comments in its signature, and from comments in its body."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from shapecheck.project.tree_walk import walk
from shapecheck.static.claims.comments import Comment, comments_between, named_shapes, string_lines
from shapecheck.static.claims.entries import entries_of
from shapecheck.static.claims.model import Claim, FunctionClaims
from shapecheck.static.claims.phrases import Phrase, shapes_in

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

_MOST_LINES = 400
_SIZED = frozenset(
    """size sizes shape shapes dim dims resolution stride strides kernel padding dilation scale range spacing factor res
    length lengths extent axes axis order""".split()
)
_INPUT = frozenset(("input", "inputs"))


def claims_of(function: ast.AST, lines: Sequence[str], owner: ast.ClassDef | None = None) -> FunctionClaims:
    """The claims of a function in a file with these lines; `owner` is the class that it is a method of."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return FunctionClaims()
    parameters = _parameters(function, is_method=owner is not None)
    stated = list(_of_docstring(function, lines, parameters))
    commented = list(_of_comments(function, lines, parameters))
    about = [one for one in stated if one.name]
    about += [one for one, is_assigned in commented if not is_assigned]
    if owner is not None and not about and function.name == "forward":
        about = [one for one in _of_docstring(owner, lines, parameters, only_shapes=True) if one.name]
    results = [one for one in stated if not one.name]
    return FunctionClaims(
        _agreeing(about),
        results[0] if len(results) == 1 else None,
        tuple(one for one, is_assigned in commented if is_assigned),
    )


def _parameters(function: _FunctionNode, *, is_method: bool) -> list[str]:
    """The names of the parameters, without the receiver."""
    spec = function.args
    positional = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list)
    if positional and ((is_method and not static) or positional[0] == "self"):
        positional = positional[1:]
    return [*positional, *(one.arg for one in spec.kwonlyargs)]


def _agreeing(claims: Sequence[Claim]) -> dict[str, Claim]:
    """The claim about each name; none if several about it differ in rank."""
    found: dict[str, Claim] = {}
    for one in claims:
        found.setdefault(one.name, one)
    refuted = {one.name for one in claims if one.rank != found[one.name].rank}
    return {name: one for name, one in found.items() if name not in refuted}


# -- docstrings


def _of_docstring(
    node: _FunctionNode | ast.ClassDef, lines: Sequence[str], parameters: Sequence[str], *, only_shapes: bool = False
) -> Iterator[Claim]:
    constant = _docstring(node)
    if constant is None or constant.end_lineno is None:
        return
    first = constant.lineno
    raw = [one.rstrip("\r\n") for one in lines[first - 1 : min(constant.end_lineno, first - 1 + _MOST_LINES)]]
    if not raw or not any("x" in one or "," in one or "\u00d7" in one for one in raw):
        return
    cut = _opening(raw[0])
    texts = [raw[0][cut:], *raw[1:]]
    if only_shapes and not any("shape" in one.lower() for one in texts):
        return
    for entry in entries_of(texts, parameters, only_shapes=only_shapes):
        text = "\n".join(entry.lines)
        sized = bool(entry.names) and all(one.rpartition("_")[2] in _SIZED for one in entry.names)
        phrase = shapes_in(text, is_sized=sized)
        if phrase is None:
            continue
        column = entry.column + (cut if entry.line == 0 else 0)
        for name in entry.names or ("",):
            yield _claim(name, phrase, text, first + entry.line, column, is_comment=False)


def _docstring(node: _FunctionNode | ast.ClassDef) -> ast.Constant | None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value
    return None


def _opening(line: str) -> int:
    """How many characters of the first line of a docstring precede its text."""
    for quotes in ('"""', "'''", '"', "'"):
        at = line.find(quotes)
        if at >= 0:
            return at + len(quotes)
    return 0


# -- comments


def _of_comments(
    function: _FunctionNode, lines: Sequence[str], parameters: Sequence[str]
) -> Iterator[tuple[Claim, bool]]:
    """The claims of comments, and whether each is about an assigned name, not about an argument."""
    last = function.end_lineno or function.lineno
    if not any("#" in one for one in lines[function.lineno - 1 : last]):
        return
    strings = string_lines(function)
    assigned, declared = assigned_names(function), _declared(function, parameters)
    stores = _first_stores(function)
    for comment in comments_between(lines, function.lineno, last, strings):
        found = named_shapes(comment.text)
        if found is None:
            continue
        names, phrase = found
        made = assigned.get(comment.line) if comment.follows_code else None
        if made is not None:
            if not names or names == (made.id,):
                yield _of_comment(made.id, phrase, comment), True
        elif not names:
            if comment.line in declared and comment.follows_code:
                yield _of_comment(declared[comment.line], phrase, comment), False
        else:
            for name in _meant(names, parameters):
                if stores.get(name, last + 1) > comment.line:
                    yield _of_comment(name, phrase, comment), False


def _meant(names: tuple[str, ...], parameters: Sequence[str]) -> tuple[str, ...]:
    if all(one in parameters for one in names):
        return names
    return (parameters[0],) if len(names) == 1 and names[0].lower() in _INPUT and len(parameters) == 1 else ()


def assigned_names(function: ast.AST) -> dict[int, ast.Name]:
    """The name that is assigned by the statement that ends on a line."""
    found: dict[int, ast.Name] = {}
    for one in walk(function):
        if isinstance(one, ast.Assign) and len(one.targets) == 1:
            target: ast.expr = one.targets[0]
        elif isinstance(one, (ast.AnnAssign, ast.AugAssign)) and getattr(one, "value", None) is not None:
            target = one.target
        else:
            continue
        if isinstance(target, ast.Name) and one.end_lineno is not None:
            found[one.end_lineno] = target
    return found


def _declared(function: _FunctionNode, parameters: Collection[str]) -> dict[int, str]:
    """The only parameter that a line of the signature declares."""
    spec = function.args
    on_line: dict[int, list[str]] = {}
    for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        if one.arg in parameters and one.end_lineno is not None:
            on_line.setdefault(one.end_lineno, []).append(one.arg)
    return {line: names[0] for line, names in on_line.items() if len(names) == 1}


def _first_stores(function: _FunctionNode) -> dict[str, int]:
    """The first line on which each name is assigned."""
    found: dict[str, int] = {}
    for one in walk(function):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            found[one.id] = min(found.get(one.id, one.lineno), one.lineno)
    return found


# -- places


def _of_comment(name: str, phrase: Phrase, comment: Comment) -> Claim:
    return _claim(name, phrase, comment.text, comment.line, comment.column, is_comment=True)


def _claim(name: str, phrase: Phrase, text: str, line: int, column: int, *, is_comment: bool) -> Claim:
    """The claim of a phrase in a string that begins at a line, from 1, and a column, from 0."""
    start_line, start = _position(text, phrase.start, line, column)
    end_line, end = _position(text, phrase.end, line, column)
    quote = " ".join(text[phrase.start : phrase.end].split())
    return Claim(name, phrase.shapes, quote, start_line, start + 1, end_line, end + 1, is_comment, phrase.says_tensor)


def _position(text: str, offset: int, line: int, column: int) -> tuple[int, int]:
    before = text[:offset]
    breaks = before.count("\n")
    return (line + breaks, offset - before.rfind("\n") - 1) if breaks else (line, column + offset)
