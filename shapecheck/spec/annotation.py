"""jaxtyping's grammar (0.3.11): parses `Float[Tensor, "b t 2*d"]` without jaxtyping.

Its peculiarities are kept, because the checked code also runs under jaxtyping: `-1` matches nothing, `b (h w)` is
three axes, `None` is an axis name, `rows=4` is just `4`, `_x` is `_`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.spec.dim import Size, axis, unknown
from shapecheck.spec.dtype import DTYPES, DType
from shapecheck.spec.errors import AnnotationError, ShapeError
from shapecheck.spec.presentation import clipped, quoted
from shapecheck.spec.shape import Shape
from shapecheck.spec.symbolic import SymbolicAxis
from shapecheck.spec.tensor import TensorSpec
from shapecheck.spec.variadic_axes import VariadicAxes

_UINTS = ("uint2", "uint4", "uint8", "uint16", "uint32", "uint64")
_INTS = ("int2", "int4", "int8", "int16", "int32", "int64")
_FLOAT8 = ("float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
_FLOATS = ("float4_e2m1fn", *_FLOAT8, "bfloat16", "float16", "float32", "float64")
_COMPLEXES = ("complex64", "complex128")

DTYPE_CLASSES: Final[dict[str, frozenset[str] | None]] = {
    "Shaped": None,
    "Bool": frozenset(("bool", "bool_")),
    "UInt": frozenset(_UINTS),
    "Int": frozenset(_INTS),
    "Integer": frozenset(_UINTS + _INTS),
    "Float": frozenset(_FLOATS),
    "Complex": frozenset(_COMPLEXES),
    "Inexact": frozenset(_FLOATS + _COMPLEXES),
    "Real": frozenset(_FLOATS + _UINTS + _INTS),
    "Num": frozenset(_UINTS + _INTS + _FLOATS + _COMPLEXES),
    "Key": frozenset(("prng_key",)),
    "BFloat16": frozenset(("bfloat16",)),
    **{name.replace("uint", "UInt"): frozenset((name,)) for name in _UINTS},
    **{name.replace("int", "Int"): frozenset((name,)) for name in _INTS},
    **{name.replace("float", "Float").replace("_", ""): frozenset((name,)) for name in _FLOATS if name[0] == "f"},
    **{name.replace("complex", "Complex"): frozenset((name,)) for name in _COMPLEXES},
}
"""jaxtyping's dtype classes: the names of the dtypes each matches, None for all. Some exist only in JAX."""


_LONGEST = 160  # characters of an annotation in a message


def _shown(text: str) -> str:
    return quoted(clipped(text))


class AxisPattern:
    """One axis as written. `column`: the 0-based position in the string; `broadcast`: has `#`; `tree`: has `?`."""

    __slots__ = ("broadcast", "column", "text", "tree")

    def __init__(self, text: str, column: int, broadcast: bool = False, tree: bool = False) -> None:
        self.text = text
        self.column = column
        self.broadcast = broadcast
        self.tree = tree

    @property
    def quoted(self) -> str:
        """The axis as it appears in a message: quoted, and shortened if it is long."""
        return _shown(self.text)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"


class Named(AxisPattern):
    """`b`: the same size wherever the name appears. `rows=` and `?` alone have the empty name, as in jaxtyping."""

    __slots__ = ("name",)

    def __init__(self, name: str, text: str, column: int, broadcast: bool = False, tree: bool = False) -> None:
        super().__init__(text, column, broadcast, tree)
        self.name = name


class Fixed(AxisPattern):
    """`4`, or `rows=4`, whose name is ignored. A negative size matches nothing."""

    __slots__ = ("size",)

    def __init__(self, size: int, text: str, column: int, broadcast: bool = False) -> None:
        super().__init__(text, column, broadcast)
        self.size = size


class Anonymous(AxisPattern):
    """`_` or `_x`: any size."""

    __slots__ = ()


class Symbolic(AxisPattern):
    """`2*d+1`, `{self.heads}*d`: a size computed from names to its left or in an earlier argument."""

    __slots__ = ("expression",)

    def __init__(self, expression: SymbolicAxis, text: str, column: int, broadcast: bool = False) -> None:
        super().__init__(text, column, broadcast)
        self.expression = expression

    @property
    def problem(self) -> AnnotationError | None:
        """The error in the expression. jaxtyping raises it only when a tensor of this rank is checked."""
        if self.expression.problem is None:
            return None
        hint = _NO_GROUPS if _is_part_of_group(self.text) else ""
        return AnnotationError(f"axis {self.quoted} {self.expression.problem}{hint}", self.column)


_NO_GROUPS = "; for a group such as (a b) use one name, or a*b if a and b are bound before"


def _is_part_of_group(text: str) -> bool:
    return text.count("(") != text.count(")")


class Variadic(AxisPattern):
    """`*batch` (the same axes wherever the name appears), or `...`, whose name is None."""

    __slots__ = ("name",)

    def __init__(self, name: str | None, text: str, column: int, broadcast: bool = False, tree: bool = False) -> None:
        super().__init__(text, column, broadcast, tree)
        self.name = name


# jaxtyping creates a class named after the text, and a class name cannot contain these.
_NO_TYPE_NAME = lazy_pattern("[\0\ud800-\udfff]")


@lru_cache(maxsize=1024)
def parse_axes(text: str) -> tuple[AxisPattern, ...]:
    """The axes of `text`. Raises AnnotationError, with the column of the axis, if jaxtyping raises ValueError."""
    bad = _NO_TYPE_NAME.search(text)
    if bad is not None:
        raise AnnotationError(f"an annotation cannot contain the character {bad.group()!r}", bad.start())
    axes: list[AxisPattern] = []
    variadic: AxisPattern | None = None
    for found in re.finditer(r"\S+", text):
        pattern = _read_axis(found.group(), found.start())
        if isinstance(pattern, Variadic):
            if variadic is not None:
                both = f"got {variadic.quoted} and {pattern.quoted}"
                raise AnnotationError(f"expected at most one variadic axis, {both}", pattern.column)
            variadic = pattern
        axes.append(pattern)
    return tuple(axes)


def _read_axis(text: str, column: int) -> AxisPattern:
    if text.isidentifier() and text[0] != "_":
        return Named(text, text, column)
    if "," in text and "(" not in text:
        raise AnnotationError(f"axis {_shown(text)}: separate axes by spaces, not by commas", column)
    if text.endswith("#"):
        raise AnnotationError(f"axis {_shown(text)}: # must be at the start", column)
    if "..." in text:
        if text != "...":
            raise AnnotationError(f"axis {_shown(text)}: ... must be separated by spaces", column)
        return Variadic(None, text, column)
    return _modified(text, column)


def _modified(text: str, column: int) -> AxisPattern:
    marks, rest = _strip_marks(text, column)
    if not rest or rest.isidentifier():
        return _named(marks, rest, text, column)
    try:
        size = int(rest)
    except ValueError:
        _refuse_marks(marks, "*_?", "a symbolic axis", text, column)
        return Symbolic(SymbolicAxis(rest), text, column, "#" in marks)
    _refuse_marks(marks, "*_?", "a fixed axis", text, column)
    return Fixed(size, text, column, "#" in marks)


def _strip_marks(text: str, column: int) -> tuple[str, str]:
    marks, rest = "", text
    while rest:
        if rest[0] in "#*_?":
            if rest[0] in marks:
                raise AnnotationError(f"axis {_shown(text)} contains {rest[0]} twice", column)
            marks, rest = marks + rest[0], rest[1:]
        elif rest.count("=") == 1:
            rest = rest.partition("=")[2]
        else:
            break
    return marks, rest


_MEANING = {
    "*": "be variadic (*)",
    "_": "be anonymous (_)",
    "?": "depend on its position in a tree (?)",
    "#": "be anonymous and broadcast (#)",
}


def _refuse_marks(marks: str, refused: str, kind: str, text: str, column: int) -> None:
    for mark in refused:
        if mark in marks:
            raise AnnotationError(f"axis {_shown(text)}: {kind} cannot {_MEANING[mark]}", column)


def _named(marks: str, name: str, text: str, column: int) -> AxisPattern:
    if "_" in marks:
        _refuse_marks(marks, "#", "an axis", text, column)
        return Variadic(None, text, column) if "*" in marks else Anonymous(text, column)
    kind = Variadic if "*" in marks else Named
    return kind(name, text, column, "#" in marks, "?" in marks)


class Annotation:
    """One jaxtyping annotation: the dtypes that it allows and its axes.

    dtypes: None for all; empty where only JAX has such a dtype, so that no tensor matches.
    axes: see parse_axes. variadic: the index of the one variadic axis, None without.
    dtype_name, text, array: as written, for messages. dtype_strings: the dtypes by name, JAX's own among them.
    """

    __slots__ = ("array", "axes", "dtype_name", "dtype_strings", "dtypes", "text", "variadic")

    def __init__(
        self,
        dtype_strings: frozenset[str] | None,
        dtype_name: str,
        text: str,
        array: str = "Tensor",
    ) -> None:
        self.dtype_strings = dtype_strings
        self.dtypes: frozenset[DType] | None = None
        if dtype_strings is not None:
            self.dtypes = frozenset(DTYPES[name] for name in dtype_strings if name in DTYPES)
        self.dtype_name = dtype_name
        self.text = text
        self.array = array
        self.axes = parse_axes(text)
        self.variadic = next((i for i, pattern in enumerate(self.axes) if isinstance(pattern, Variadic)), None)

    @property
    def holes(self) -> tuple[str, ...]:
        """The expressions in `{...}`, which the caller evaluates: pass their values on in `Bindings`."""
        found = (hole for pattern in self.axes if isinstance(pattern, Symbolic) for hole in pattern.expression.holes)
        return tuple(dict.fromkeys(found))

    @property
    def problems(self) -> tuple[AnnotationError, ...]:
        """Axes that jaxtyping accepts here and fails on when it checks a tensor of this rank."""
        found = (pattern.problem for pattern in self.axes if isinstance(pattern, Symbolic))
        return tuple(problem for problem in found if problem is not None)

    def spec(self, scope: str = "axes") -> TensorSpec:
        """The tensor that the annotation promises: names become axes of `scope`, whatever may vary is unknown."""
        sizes = [None if isinstance(p, Variadic) else _promised(p, scope) for p in self.axes]
        dtype = next(iter(self.dtypes)) if self.dtypes is not None and len(self.dtypes) == 1 else None
        at = self.variadic
        if at is None:
            return TensorSpec.make(Shape(tuple(size for size in sizes if size is not None)), dtype)
        head, tail = sizes[:at], sizes[at + 1 :]
        shape = Shape(
            tuple(size for size in head if size is not None),
            _promised_run(self.axes[at], scope),
            tuple(size for size in tail if size is not None),
        )
        return TensorSpec.make(shape, dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Annotation):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (self.dtype_strings, self.dtype_name, self.text, self.array)

    def __str__(self) -> str:
        text = self.text if len(self.text) <= _LONGEST else f"{self.text[:_LONGEST]}..."
        return f'{self.dtype_name}[{self.array}, "{text}"]'

    __repr__ = __str__


def _promised(pattern: AxisPattern, scope: str) -> Size:
    if not pattern.broadcast and not pattern.tree:
        if isinstance(pattern, Named) and pattern.name:
            return axis(pattern.name, scope)
        if isinstance(pattern, Fixed) and pattern.size >= 0:
            return pattern.size
        if isinstance(pattern, Symbolic):
            return _promised_value(pattern, scope)
    return unknown(pattern.text, 0)


def _promised_value(pattern: Symbolic, scope: str) -> Size:
    expression = pattern.expression
    names = {name: axis(name, scope) for name in expression.missing({}, {})}
    try:
        value = expression.value(names, {})
    except (ArithmeticError, ShapeError):
        value = None
    return unknown(pattern.text, 0) if value is None or isinstance(value, float) else value


def _promised_run(pattern: AxisPattern, scope: str) -> VariadicAxes:
    if isinstance(pattern, Variadic) and pattern.name and not pattern.broadcast and not pattern.tree:
        return VariadicAxes(pattern.name, scope)
    return VariadicAxes()


def dtype_class(name: str) -> frozenset[str] | None:
    """The names of the dtypes that jaxtyping's class `name` matches, None for all. AnnotationError for another name."""
    try:
        return DTYPE_CLASSES[name]
    except KeyError:
        raise AnnotationError(f"unknown jaxtyping dtype {_shown(name)}") from None


def parse_annotation(dtype_name: str, text: str) -> Annotation:
    """Reads `Float[Tensor, "b t"]` from its parts "Float" and "b t"; AnnotationError as in parse_axes."""
    return Annotation(dtype_class(dtype_name), dtype_name, text)
