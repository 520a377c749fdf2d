"""What a message may interpolate, by type: one value of each kind that a reader can meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Literal

from mypy.types import AnyType, Instance, LiteralType, NoneType, Type, UnionType, get_proper_type

from shapecheck.spec import Shape
from shapecheck.spec.annotation import parse_annotation
from shapecheck.spec.dim import unknown
from shapecheck.spec.dtype import as_dtype
from shapecheck.spec.expression import parse_size

Kind = Literal["symbolic", "unknown", "long"]
KINDS: tuple[Kind, ...] = ("symbolic", "unknown", "long")

_LONG = parse_size("*".join(f"(size_{i}+{i})" for i in range(30)))

_SIZES: Mapping[Kind, object] = {"symbolic": parse_size("2*c+1"), "unknown": unknown(), "long": _LONG}
_SHAPES: Mapping[Kind, object] = {
    "symbolic": Shape.of(("b", "2*c", 3)),
    "unknown": Shape.of(("b", ..., unknown())),
    "long": Shape.of([_LONG] * 30),
}


def _constant(value: object) -> Mapping[Kind, object]:
    return dict.fromkeys(KINDS, value)


_BY_NAME: Mapping[str, Mapping[Kind, object]] = {
    "builtins.str": _constant("input"),
    "builtins.int": _constant(3),
    "builtins.float": _constant(0.5),
    "builtins.complex": _constant(1j),
    "builtins.bool": _constant(True),
    "pathlib.Path": _constant(Path("model.py")),
    "pathlib.PurePosixPath": _constant(PurePosixPath("model.py")),
    "shapecheck.spec.dim.Dim": _SIZES,
    "shapecheck.spec.shape.Shape": _SHAPES,
    "shapecheck.spec.dtype.DType": _constant(as_dtype("float32")),
    "shapecheck.spec.annotation.Annotation": {
        "symbolic": parse_annotation("Float", "b 2*c 3"),
        "unknown": parse_annotation("Float", "b ... _"),
        "long": parse_annotation("Float", " ".join(f"size_{i}+{i}" for i in range(30))),
    },
}


def values_of(kind: Kind, type_: Type, *, opaque: bool) -> Iterator[object]:
    """One value for each member of the type. TypeError for a type that no message may show.

    opaque: whether a value of unknown type is allowed: what torch returns, where the code handles no symbolic value.
    """
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        # None is left out: the conditions that exclude it are often more than mypy follows.
        for member in (one for one in proper.items if not isinstance(get_proper_type(one), NoneType)):
            yield from values_of(kind, member, opaque=opaque)
    elif isinstance(proper, LiteralType):
        yield proper.value
    elif isinstance(proper, Instance) and proper.last_known_value is not None:
        yield from values_of(kind, proper.last_known_value, opaque=opaque)
    elif isinstance(proper, AnyType) and opaque:
        yield "cpu"
    elif isinstance(proper, Instance):
        yield _value_of_class(kind, proper)
    else:
        raise TypeError(str(proper))


def _value_of_class(kind: Kind, type_: Instance) -> object:
    for base in type_.type.mro:
        if base.fullname in _BY_NAME:
            return _BY_NAME[base.fullname][kind]
        if base.fullname == "builtins.BaseException":
            return ValueError("the text of an exception")
    raise TypeError(str(type_))
