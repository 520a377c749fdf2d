"""Annotations that exclude tensors: arrays and tables of other libraries, and Python's own types."""

from __future__ import annotations

import ast

from shapecheck.static.contracts.name_resolution import AnnotationScope, resolve_name
from shapecheck.static.domain.objects import ClassValue
from shapecheck.static.domain.values import ExternalReference, TypeAlias

_MAX_DEPTH = 8
_LIBRARIES = frozenset(
    """
    numpy pandas scipy PIL jax jaxlib cupy tensorflow keras xarray sklearn polars pyarrow dask networkx matplotlib cv2
    pathlib datetime collections os re io argparse logging decimal fractions enum uuid
    """.split()
)
_PYTHON = frozenset(
    f"builtins.{name}"
    for name in "bool bytes bytearray complex dict frozenset list range set slice str tuple type".split()
)
_TYPING = ("typing.", "typing_extensions.")
_UNIONS = frozenset(("Optional", "Union"))
_WRAPPERS = frozenset(("Annotated", "Final", "ClassVar"))
_COLLECTIONS = frozenset(
    """
    List Tuple Dict Set FrozenSet Sequence MutableSequence Mapping MutableMapping Iterable Iterator Collection Callable
    Generator Type Literal DefaultDict OrderedDict Deque NamedTuple Text Hashable
    """.split()
)


def excludes_tensors(scope: AnnotationScope, node: ast.expr | None, depth: int = 0) -> bool:
    """Whether no value of the annotated type is a tensor."""
    if node is None or depth > _MAX_DEPTH:
        return False
    if isinstance(node, ast.Constant):
        return node.value is None or (isinstance(node.value, str) and _of_text(scope, node.value, depth))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return all(excludes_tensors(scope, one, depth + 1) for one in (node.left, node.right))
    if isinstance(node, ast.Subscript):
        return _of_generic(scope, node, depth)
    value = resolve_name(scope, node)
    if isinstance(value, TypeAlias):
        return excludes_tensors(AnnotationScope(scope.run, value.names), value.node, depth + 1)
    if isinstance(value, ClassValue):
        return all(isinstance(one, str) and _is_foreign(one) for one in value.outside())
    return isinstance(value, ExternalReference) and _is_foreign(value.name)


def _is_foreign(name: str) -> bool:
    if name.startswith(_TYPING):
        return name.rpartition(".")[2] in _COLLECTIONS
    return name in _PYTHON or name.partition(".")[0] in _LIBRARIES


def _of_text(scope: AnnotationScope, text: str, depth: int) -> bool:
    try:
        return excludes_tensors(scope, ast.parse(text.strip(), mode="eval").body, depth + 1)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _of_generic(scope: AnnotationScope, node: ast.Subscript, depth: int) -> bool:
    base = resolve_name(scope, node.value)
    if not isinstance(base, ExternalReference):
        return isinstance(base, ClassValue) and excludes_tensors(scope, node.value, depth + 1)
    inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    package, _, name = base.name.rpartition(".")
    if f"{package}." in _TYPING and name in _UNIONS:
        return all(excludes_tensors(scope, one, depth + 1) for one in inside)
    if (f"{package}." in _TYPING and name in _WRAPPERS) or package == "jaxtyping":
        return excludes_tensors(scope, inside[0], depth + 1)
    return _is_foreign(base.name)
