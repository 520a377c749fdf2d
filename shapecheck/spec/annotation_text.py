"""Whole annotations from source text: `Float[Tensor, "b t"]`, `jaxtyping.Int[...]`, unions, nested annotations."""

from __future__ import annotations

import ast
from difflib import get_close_matches

from shapecheck.spec.annotation import DTYPE_CLASSES, Annotation, dtype_class, parse_axes
from shapecheck.spec.errors import AnnotationError
from shapecheck.spec.presentation import clipped

_PYTHON_NUMBERS = ("bool", "int", "float", "complex")
_NO_TENSORS = frozenset((*_PYTHON_NUMBERS, "None", "NoneType", "str", "bytes", "list", "tuple", "dict", "ndarray"))
_ANY_TENSOR = frozenset(("Tensor", "Parameter", "Any", "object"))


def parse_annotation_text(text: str) -> tuple[Annotation, ...]:
    """The alternatives of an annotation that a tensor can match, in order; give them to `match_any`.

    A plain `Tensor` is `Shaped[Tensor, "..."]`; `None` and Python's built-in types contribute nothing, so `()` means
    that no tensor matches. Raises AnnotationError where jaxtyping raises ValueError, and for other names.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        return tuple(_alternatives(tree))
    except (SyntaxError, ValueError):
        raise AnnotationError(f"{clipped(text)} is not a valid Python expression") from None
    except (RecursionError, MemoryError):
        raise AnnotationError(f"{clipped(text)} is nested too deeply") from None


def _alternatives(node: ast.expr) -> list[Annotation]:
    members = _members(node)
    if members is not None:
        return [found for member in members for found in _alternatives(member)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return list(parse_annotation_text(node.value))
    name = _last_name(node.value if isinstance(node, ast.Subscript) else node)
    if isinstance(node, ast.Subscript) and (name in DTYPE_CLASSES or name not in _NO_TENSORS | _ANY_TENSOR):
        return _subscripted(name, node)
    if name in _ANY_TENSOR:
        return [Annotation(None, "Shaped", "...", name)]
    if name in _NO_TENSORS:
        return []
    if name in DTYPE_CLASSES:
        raise AnnotationError(f'{name} requires a type and axes; use {name}[Tensor, "..."]')
    raise AnnotationError(f"{clipped(ast.unparse(node))} is not a jaxtyping annotation")


def _members(node: ast.expr) -> list[ast.expr] | None:
    """The members of a union, None for anything else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [node.left, node.right]
    if isinstance(node, ast.Subscript) and _last_name(node.value) in ("Union", "Optional"):
        return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return None


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    return str(node.value) if isinstance(node, ast.Constant) and node.value is None else ""


def _subscripted(name: str, node: ast.Subscript) -> list[Annotation]:
    if name not in DTYPE_CLASSES:
        close = get_close_matches(name, DTYPE_CLASSES, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise AnnotationError(f"unknown jaxtyping dtype {clipped(name or ast.unparse(node.value))}{hint}")
    inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
    if len(inside) != 2:
        raise AnnotationError(f'{name} requires an array type and a string of axes: {name}[Tensor, "b t"]')
    array, axes = inside
    if not isinstance(axes, ast.Constant) or not isinstance(axes.value, str):
        raise AnnotationError(f"expected the axes of {name} to be a string literal, got {clipped(ast.unparse(axes))}")
    made = [_of_array(name, member, axes.value) for member in _flat(array)]
    if all(found is None for found in made):
        raise AnnotationError(f"{name} with axes cannot match {clipped(ast.unparse(array))}")
    return [annotation for found in made for annotation in found or ()]


def _flat(node: ast.expr) -> list[ast.expr]:
    members = _members(node)
    return [node] if members is None else [flat for member in members for flat in _flat(member)]


def _of_array(name: str, array: ast.expr, text: str) -> list[Annotation] | None:
    """The annotation on one array type, [] for a Python number, None if it is impossible."""
    if isinstance(array, ast.Subscript) and _last_name(array.value) in DTYPE_CLASSES:
        return [extended(name, inner, text) for inner in _subscripted(_last_name(array.value), array)]
    array_name = _last_name(array)
    if array_name in _PYTHON_NUMBERS:
        return [] if _scalar_fits(dtype_class(name), array_name, text) else None
    return [Annotation(dtype_class(name), name, text, ast.unparse(array))]


def _scalar_fits(allowed: frozenset[str] | None, number: str, text: str) -> bool:
    # `Float[float, "..."]` is plain float to jaxtyping: every axis must be able to vanish.
    if any(type(pattern).__name__ != "Variadic" for pattern in parse_axes(text)):
        return False
    return allowed is None or any(dtype.startswith(number) for dtype in allowed)


def extended(name: str, inner: Annotation, text: str) -> Annotation:
    """`Float[Float32[Tensor, "c"], "b"]`: the outer axes come first, the dtypes are those that both allow."""
    parse_axes(text)
    outer = dtype_class(name)
    if outer is None:
        return Annotation(inner.dtype_strings, inner.dtype_name, f"{text} {inner.text}", inner.array)
    both = outer if inner.dtype_strings is None else outer & inner.dtype_strings
    if not both:
        raise AnnotationError(f"{name} and {inner.dtype_name} have no dtype in common")
    return Annotation(both, name, f"{text} {inner.text}", inner.array)
