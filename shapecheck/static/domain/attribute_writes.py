"""Which attributes of an object code writes after construction, read from the source of its class and file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from typing import NamedTuple

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.class_cache import cached_on_class
from shapecheck.static.domain.objects import ClassValue

CONSTRUCTORS = frozenset(("__init__", "__new__", "__post_init__"))
_CALLS = frozenset(("forward", "__call__"))
_COMMON = _CALLS | frozenset("train eval to cuda cpu apply parameters children modules state_dict".split())
"""Methods whose names do not show that one of the program is called."""
_ALSO_OF_OTHERS = CONSTRUCTORS | frozenset("to cuda cpu half float double bfloat16 type".split())
"""Methods that other objects have as well, such as tensors and base classes: `x.to(self.dtype)`."""
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)
NAMING = frozenset("register_buffer register_parameter add_module register_module __setattr__ setattr".split())
"""Functions and methods that set the attribute whose name they receive."""
FILLING = frozenset(
    """
    append appendleft add update setdefault extend extendleft insert pop popleft popitem remove discard clear rotate
    add_module register_module
    resize_ resize_as_ set_
    """.split()
)
"""Methods that change the items of a collection, or the elements of a tensor."""


class MethodWrites(NamedTuple):
    """What one method does to its object: the attributes it writes and reads, and those it sets to an empty collection.

    `is_open` is whether it also writes attributes whose names are unknown.
    """

    name: str
    written: frozenset[str]
    read: frozenset[str]
    emptied: frozenset[str]
    is_open: bool


class Writes(NamedTuple):
    """The attributes that several methods write, or the code of a file on objects other than `self`."""

    written: frozenset[str]
    is_open: bool


@cached_on_class
def written_by_methods(cls: ClassValue) -> Writes:
    """The writes of all methods but constructors together, those of subclasses included."""
    later = _after_construction(cls)
    return Writes(frozenset[str]().union(*(one.written for one in later)), any(one.is_open for one in later))


@cached_on_class
def writes_of_methods(cls: ClassValue) -> list[tuple[str, frozenset[str]]]:
    """The names of all methods but constructors, those of subclasses included, and the attributes that each writes."""
    return [(one.name, one.written) for one in _after_construction(cls)]


def _after_construction(cls: ClassValue) -> list[MethodWrites]:
    every = [one for node in (*(base.node for base in cls.mro()), *subclasses_in_file(cls)) for one in methods_of(node)]
    return [one for one in every if one.name not in CONSTRUCTORS]


@cached_on_class
def written_after_construction(cls: ClassValue) -> list[MethodWrites]:
    """The methods of a class and its subclasses that write attributes and are called by its users.

    Those that its constructors or `forward` call are not: what they write is seen when the object is built or called.
    """
    every = [one for base in cls.mro() for one in methods_of(base.node)]
    followed = _reached(every, CONSTRUCTORS) | _reached(every, _CALLS)
    below = [one for node in subclasses_in_file(cls) for one in methods_of(node) if one.name not in _CALLS]
    return [one for one in every if one.name not in followed] + below


def written_from(cls: ClassValue, names: frozenset[str]) -> frozenset[str]:
    """The attributes that the methods with these names write, and those that they call."""
    return frozenset[str]().union(*(written for _, written in writes_from(cls, names)))


def writes_from(cls: ClassValue, names: frozenset[str]) -> list[tuple[str, frozenset[str]]]:
    """The methods with these names and those that they call, and the attributes that each writes."""
    table = _methods_by_name(cls)
    named = table.reads.keys() & names
    if not named:
        return []
    called = _closure(table.reads, named)
    return [(one.name, one.written) for one in table.methods if one.name in called]


class _MethodTable(NamedTuple):
    """The methods of a class and its bases, and which of them those of each name read."""

    methods: list[MethodWrites]
    reads: dict[str, frozenset[str]]


@cached_on_class
def _methods_by_name(cls: ClassValue) -> _MethodTable:
    every = [one for base in cls.mro() for one in methods_of(base.node)]
    return _MethodTable(every, _reads_of(every))


def written_by_calls(cls: ClassValue, read: frozenset[str]) -> frozenset[str]:
    """The attributes that methods write which code reads by these names, and so may call on an object of a class."""
    return written_from(cls, read - _COMMON)


@cached_on_class
def emptied_by_constructors(cls: ClassValue) -> frozenset[str]:
    """The attributes that constructors, or methods that these call, set to an empty collection."""
    every = [one for base in cls.mro() for one in methods_of(base.node)]
    built = _reached(every, CONSTRUCTORS)
    return frozenset[str]().union(*(one.emptied for one in every if one.name in built))


def _reached(methods: Iterable[MethodWrites], start: frozenset[str]) -> frozenset[str]:
    return _closure(_reads_of(methods), start)


def _reads_of(methods: Iterable[MethodWrites]) -> dict[str, frozenset[str]]:
    """For the name of each method, the names of the methods that it reads."""
    reads: dict[str, frozenset[str]] = {}
    for one in methods:
        reads[one.name] = reads.get(one.name, frozenset()) | one.read
    return {name: read & reads.keys() for name, read in reads.items()}


def _closure(reads: Mapping[str, frozenset[str]], start: Set[str]) -> frozenset[str]:
    """The names that these lead to, themselves included."""
    found, pending = set(start), list(start)
    while pending:
        more = reads.get(pending.pop(), frozenset()) - found
        found |= more
        pending += more
    return frozenset(found)


@cached_on_node
def methods_of(node: ast.ClassDef) -> tuple[MethodWrites, ...]:
    """The methods of a class, those that write nothing included."""
    return tuple(writes_of(one) for one in functions_in(node.body))


def functions_in(body: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions in the body of a class, those under a condition included."""
    for one in body:
        if isinstance(one, _Function):
            yield one
        elif isinstance(one, ast.If):
            yield from functions_in([*one.body, *one.orelse])


@cached_on_node
def rebound_by(function: ast.AST) -> frozenset[str]:
    """The names that a function declares `nonlocal` or `global`."""
    return frozenset(
        name for one in walk(function) if isinstance(one, (ast.Nonlocal, ast.Global)) for name in one.names
    )


@cached_on_node
def writes_of(method: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> MethodWrites:
    """The writes of one method; also those to other objects, because an alias of the object may be written."""
    written: set[str] = set()
    read: set[str] = set()
    emptied: set[str] = set()
    is_open = False
    for one in walk(method):
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load):
            if one.attr not in _ALSO_OF_OTHERS or _is_self(one.value):
                read.add(one.attr)
            is_open |= one.attr == "__dict__"
        elif isinstance(one, ast.Attribute):
            written.add(one.attr)
            written.update(_holder(one.value) if one.attr == "data" else ())
        elif isinstance(one, ast.Subscript) and not isinstance(one.ctx, ast.Load):
            written.update(_holder(one.value))
        elif isinstance(one, (ast.Assign, ast.AnnAssign)):
            emptied.update(_emptied(one))
        elif isinstance(one, ast.Call):
            names, unknown = _written_by_call(one)
            written.update(names)
            is_open |= unknown
    name = getattr(method, "name", "<lambda>")
    return MethodWrites(name, frozenset(written), frozenset(read), frozenset(emptied), is_open)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _written_by_call(call: ast.Call) -> tuple[tuple[str, ...], bool]:
    """The attributes that a call writes or fills, and whether it writes one with an unknown name."""
    name = last_name(call.func)
    if name in NAMING:
        names = [one.value for one in call.args[:2] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        filled = _holder(call.func.value) if isinstance(call.func, ast.Attribute) else ()
        return (*names[:1], *filled), not names and not filled
    if name in FILLING and isinstance(call.func, ast.Attribute):
        return _holder(call.func.value), False
    return (), name == "vars" and bool(call.args)


def _emptied(node: ast.Assign | ast.AnnAssign) -> list[str]:
    """The attributes that an assignment sets to `[]`, `{}`, `list()`, `nn.ModuleList()` and the like."""
    value = node.value
    given = value.args if isinstance(value, ast.Call) else []
    if isinstance(value, ast.Call):
        is_empty = not value.keywords and all(map(_is_empty_display, given))
    else:
        is_empty = _is_empty_display(value)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [one.attr for one in targets if isinstance(one, ast.Attribute)] if is_empty else []


def _is_empty_display(node: ast.expr | None) -> bool:
    return (isinstance(node, (ast.List, ast.Tuple)) and not node.elts) or (isinstance(node, ast.Dict) and not node.keys)


def _holder(node: ast.expr) -> tuple[str, ...]:
    """The attribute that holds the changed collection or tensor, in `self.items[0].append(x)`: items."""
    while isinstance(node, (ast.Subscript, ast.Call)):
        node = node.value if isinstance(node, ast.Subscript) else node.func
        if isinstance(node, ast.Attribute) and node.attr in ("setdefault", "get"):
            node = node.value
    return (node.attr,) if isinstance(node, ast.Attribute) else ()


def subclasses_in_file(cls: ClassValue) -> Iterator[ast.ClassDef]:
    """The classes of the same file that derive from this one, by their names."""
    text = cls.closure.loaded.text
    if text.count(cls.node.name) < 2:  # its definition and one use
        return
    below = {cls.node.name}
    for one in cls.closure.loaded.tree.body:
        if isinstance(one, ast.ClassDef) and any(last_name(base) in below for base in one.bases):
            below.add(one.name)
            yield one


_RECEIVER = r"\b(?!self\b)\w+(?:\[[^\]\n]*\]|\([^()\n]*\))*"
_STORE = lazy_pattern(rf"{_RECEIVER}\.(\w+)(?:\.data)?[ ]*(?:[-+*/|&@%^]|//|\*\*)?=(?!=)")
_STORE_OF_SEVERAL = lazy_pattern(r"^[ \t]*\(?((?:[\w.\[\]]+[ ]*,[ ]*)+[\w.\[\]]+)\)?[ ]*=(?!=)", re.MULTILINE)
_MEMBER = lazy_pattern(r"\b(?!self\b)\w+\.(\w+)\b(?!\.)")
_FILL = lazy_pattern(
    rf"{_RECEIVER}\.(\w+)(?:\[[^\n]*?\])?(?:\.(?:{'|'.join(sorted(FILLING))})\(|\[[^\n]*?\][ ]*[-+|&]?=(?!=))"
)
_SETATTR = lazy_pattern(r"\bsetattr\(\s*(?!self\b)[^,\n]+,\s*(?:[\"'](\w+)[\"'])?")
_OPEN = lazy_pattern(r"\b(?!self\b)\w+\.__dict__\.update\(")


_REMOVAL = lazy_pattern(rf"{_RECEIVER}\.(\w+)[ ]*=[ ]*(?:torch\.)?(?:nn\.)?Identity\(\)")


@lru_cache(maxsize=64)
def removed_layers(text: str) -> frozenset[str]:
    """The attributes that the text of a file sets to `nn.Identity()` on objects other than `self`, and to nothing else.

    That removes a layer: the Identity is no placeholder for another one.
    """
    removals = _REMOVAL.findall(text) if "Identity()" in text else []
    return frozenset(removals) - foreign_writes(_REMOVAL.sub("", text)).written if removals else frozenset()


@lru_cache(maxsize=64)
def foreign_writes(text: str) -> Writes:
    """The attributes that the text of a file writes on objects other than `self`."""
    setting = _SETATTR.findall(text) if "setattr(" in text else []
    several = (name for part in _STORE_OF_SEVERAL.findall(text) for name in _MEMBER.findall(part))
    written = frozenset((*_STORE.findall(text), *several, *_FILL.findall(text), *filter(None, setting)))
    return Writes(written, "" in setting or ("__dict__" in text and _OPEN.search(text) is not None))
