"""Maps any spelling of an operator to its rule."""

from __future__ import annotations

import re
from functools import lru_cache

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops.registry import Entry, entry_of
from shapecheck.ops.variants import copied, in_place, reflected

_PREFIXES = (
    ("aten::", "aten."),
    ("torch.ops.aten.", "aten."),
    ("torch._ops.aten.", "aten."),
    ("ops.aten.", "aten."),
    ("torch.nn.functional.", "F."),
    ("nn.functional.", "F."),
    ("torch._C._nn.", "F."),
    ("torch.Tensor.", "Tensor."),
    ("torch._tensor.Tensor.", "Tensor."),
    ("torch._C.TensorBase.", "Tensor."),
    ("torch.functional.", "torch."),
    ("torch._C._linalg.linalg_", "linalg."),
    ("torch._C._fft.fft_", "fft."),
    ("torch._C._special.special_", "special."),
    ("_operator.", "operator."),
    ("math.", "operator."),
)
_OF_PACKETS = frozenset(("overloads", "op_overloads", "op"))
"""Methods of `torch.ops.aten.add`, which are no overloads."""
_PLAIN = frozenset(("torch", "Tensor", "F", "aten", "operator"))
_MODULE = lazy_pattern(r"(?:torch\.)?nn\.(?:modules\.(?:\w+\.)?)?([A-Z]\w*)")
SYMBOLS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "//": "floor_divide",
    "%": "remainder",
    "**": "pow",
    "@": "matmul",
    "&": "bitwise_and",
    "|": "bitwise_or",
    "^": "bitwise_xor",
    "<<": "bitwise_left_shift",
    ">>": "bitwise_right_shift",
    "~": "bitwise_not",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
}
_DUNDERS = {
    "truediv": "div",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
    "invert": "bitwise_not",
}
_REFLECTED = frozenset("add sub mul div truediv floordiv mod pow matmul and or xor lshift rshift".split())


@lru_cache(maxsize=8192)
def find(spelling: str) -> Entry | None:
    """The rule of an operator by any of its spellings, or None.

    `torch.matmul`, `Tensor.matmul`, `torch.Tensor.__matmul__`, `@`, `torch.ops.aten.matmul.default` and `matmul` are
    one operator.
    """
    name = _shortened(spelling)
    exact = entry_of(name)
    if exact is not None:
        return exact
    namespace, _, rest = name.rpartition(".") if not name.startswith("aten.") else ("aten", ".", name[5:])
    if namespace == "aten":
        rest, _, overload = rest.partition(".")
        if "." in overload or overload.startswith("_") or overload in _OF_PACKETS:
            return None  # an attribute, such as the schema, or what it has
        exact = entry_of(f"aten.{rest}")
        if exact is not None:
            return exact
        rest = re.sub(r"^(linalg|fft|special)_", r"\1.", rest)
    elif namespace not in _PLAIN and namespace:
        return _variant(name)
    return entry_of(rest) or _variant(rest) or (_dunder(rest) if namespace == "operator" else None)


def _shortened(spelling: str) -> str:
    if spelling in SYMBOLS:
        return "operator." + SYMBOLS[spelling]
    for prefix, short in _PREFIXES:
        if spelling.startswith(prefix):
            return short + spelling[len(prefix) :]
    layer = _MODULE.fullmatch(spelling)
    if layer:
        return "nn." + layer.group(1)
    if spelling.startswith("torch.") and spelling.count(".") > 1:
        return spelling[len("torch.") :]
    return spelling


def _variant(name: str) -> Entry | None:
    if name.startswith("__") and name.endswith("__"):
        return _dunder(name[2:-2])
    for suffix, variant in (("_copy", copied), ("_", in_place)):
        base = entry_of(name.removesuffix(suffix)) if name.endswith(suffix) else None
        if base is not None:
            return variant(base)
    return None


def _dunder(word: str) -> Entry | None:
    base = entry_of(_DUNDERS.get(word[1:], word[1:])) if word[1:] in _REFLECTED else None
    if base is not None and word[0] in "ri":  # first, for `__rand__` is not `torch.rand`
        return reflected(base) if word[0] == "r" else in_place(base)
    return entry_of(_DUNDERS.get(word, word))
