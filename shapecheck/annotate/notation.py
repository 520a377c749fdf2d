"""Compares recorded calls with written annotations: dtypes, numbers of dimensions, sizes, and equal names."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from shapecheck.annotate.recorded_facts import dimensions, dtype_class, is_tensor
from shapecheck.record.calls import OTHER, Description
from shapecheck.record.store import RecordedFunction

_DTYPES = frozenset(("Float", "Complex", "Bool", "Int", "UInt"))
_BRACES = re.compile(r"\{[^}]*\}")
_LISTS, _TUPLES = frozenset(("list", "List", "Sequence")), frozenset(("tuple", "Tuple"))
_ARITHMETIC = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class _Contradiction(Exception):
    """A value does not match its annotation."""


def contradictions(node: ast.FunctionDef | ast.AsyncFunctionDef, recorded: RecordedFunction) -> dict[str, str]:
    """Why a recorded call contradicts the annotation of a parameter, or of "return"."""
    spec = node.args
    slots = {one.arg: one.annotation for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    defaults = [*spec.defaults, *(one for one in spec.kw_defaults if one is not None)]
    has_none = any(isinstance(one, ast.Constant) and one.value is None for one in defaults)
    found: dict[str, str] = {}
    for (names, (arguments, result)), count in recorded.calls.items():
        values = {**dict(zip(names, arguments, strict=True)), "return": result}
        sizes: dict[str, int] = {}
        for name, annotation in {**slots, "return": node.returns}.items():
            if annotation is None or name not in values or (values[name] is None and name != "return" and has_none):
                continue
            try:
                _match(annotation, values[name], sizes)
            except _Contradiction as why:
                calls = "a recorded call" if count == 1 else f"{count} recorded calls"
                found.setdefault(name, f"{why} in {calls}")
                break
    return found


def _match(node: ast.expr, value: Description, sizes: dict[str, int]) -> None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = _parsed(node.value) or node
    members = list(_members(node))
    others = [one for one in members if not (isinstance(one, ast.Constant) and one.value is None)]
    if value is None:
        if others == members and all(map(_is_shape, members)):
            raise _Contradiction("expected a tensor, got None")
        return
    if len(others) == 1 and isinstance(others[0], ast.Subscript):
        _match_subscript(others[0], value, sizes)
    elif all(isinstance(one, ast.Subscript) for one in others):
        _match_any([one for one in others if isinstance(one, ast.Subscript)], value, sizes)


def _match_any(nodes: Sequence[ast.Subscript], value: Description, sizes: dict[str, int]) -> None:
    """Matches a value with the first member of a union that it fits."""
    fitting = [node for node in nodes if _is_of_kind(node, value)]
    if not fitting:
        raise _Contradiction(f"expected {' | '.join(map(ast.unparse, nodes))}, got another value")
    for node in fitting[:-1]:
        tried = dict(sizes)
        with suppress(_Contradiction):
            _match_subscript(node, value, tried)
            sizes.update(tried)
            return
    _match_subscript(fitting[-1], value, sizes)


def _is_of_kind(node: ast.Subscript, value: Description) -> bool:
    """Whether a value can be of a type, apart from shapes."""
    name = ast.unparse(node.value).rpartition(".")[2]
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if _is_shape(node):
        return is_tensor(value)
    if value is None or value == OTHER:
        return True
    if name in _TUPLES:
        has_any_length = ast.unparse(items[-1]) == "..."
        return bool(value[0] == "tuple") and (has_any_length or len(value[1]) == len(items))
    return name not in _LISTS or bool(value[0] == "list")


def _match_subscript(node: ast.Subscript, value: Description, sizes: dict[str, int]) -> None:
    name = ast.unparse(node.value).rpartition(".")[2]
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if _is_shape(node):
        _match_tensor(name, str(items[1].value), value, sizes)  # type: ignore[attr-defined]
    elif value == OTHER or is_tensor(value):
        return
    elif name in _TUPLES and value[0] == "tuple" and len(items) == len(value[1]):
        for item, one in zip(items, value[1], strict=True):
            _match(item, one, sizes)
    elif name in _LISTS and value[0] == "list":
        for one in value[1]:
            _match(items[0], one, sizes)


def _members(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_members(node.left), *_members(node.right)]
    if isinstance(node, ast.Subscript):
        name = ast.unparse(node.value).rpartition(".")[2]
        if name == "Optional":
            return [*_members(node.slice), ast.Constant(None)]
        if name == "Union" and isinstance(node.slice, ast.Tuple):
            return [one for item in node.slice.elts for one in _members(item)]
    return [node]


def _is_shape(node: ast.expr) -> bool:
    """Whether it is `Float[Tensor, "b t"]`."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2):
        return False
    text = node.slice.elts[1]
    return isinstance(text, ast.Constant) and isinstance(text.value, str)


def _match_tensor(dtype: str, axes: str, value: Description, sizes: dict[str, int]) -> None:
    if not is_tensor(value):
        raise _Contradiction("expected a tensor, got another value")
    name, shape = value
    if dtype in _DTYPES and dtype_class(name) != dtype:
        raise _Contradiction(f"expected dtype {dtype}, got torch.{name}")
    tokens = axes.split()
    free = next((index for index, one in enumerate(tokens) if one.startswith(("...", "*"))), None)
    if free is None:
        if len(tokens) != len(shape):
            raise _Contradiction(f"expected {dimensions(len(tokens))}, got {len(shape)}")
        pairs = list(enumerate(tokens))
    else:
        if len(tokens) - 1 > len(shape):
            raise _Contradiction(f"expected at least {dimensions(len(tokens) - 1)}, got {len(shape)}")
        last = tokens[free + 1 :]
        pairs = [*enumerate(tokens[:free]), *((len(shape) - len(last) + i, one) for i, one in enumerate(last))]
    for index, token in pairs:
        wanted = _size(token.rpartition("=")[2].lstrip("#?"), shape[index], sizes)
        if wanted is not None and wanted != shape[index] and not (token.startswith("#") and shape[index] == 1):
            raise _Contradiction(f'expected dimension {index} ("{token}") to be {wanted}, got {shape[index]}')


def _size(token: str, size: int, sizes: dict[str, int]) -> int | None:
    """The size that an axis must have; the first of a name has the size that it gets. None if it is not known."""
    if token.isdigit():
        return int(token)
    if token.startswith("_"):
        return None
    if token.isidentifier() or _BRACES.fullmatch(token):
        return sizes.setdefault(token, size)
    names = dict.fromkeys(_BRACES.findall(token))
    places = {text: f"_{number}" for number, text in enumerate(names)}
    for text, place in places.items():
        token = token.replace(text, place)
    known = {**sizes, **{place: sizes[text] for text, place in places.items() if text in sizes}}
    node = _parsed(token)
    return None if node is None else _computed(node, known)


def _computed(node: ast.expr, sizes: Mapping[str, int]) -> int | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name):
        return sizes.get(node.id)
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        left, right = _computed(node.left, sizes), _computed(node.right, sizes)
        if left is None or right is None or (not right and isinstance(node.op, (ast.FloorDiv, ast.Mod))):
            return None
        return int(_ARITHMETIC[type(node.op)](left, right))
    return None


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None
