"""Flags of the parts of a model, which methods set that code calls on them: `for m in net.modules(): m.deploy()`.

What code assigns to them itself is a lost write (`lost_writes`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.ops import Unknown
from shapecheck.spec.presentation import value_text
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives
from shapecheck.static.domain.attribute_writes import MethodWrites, writes_of, written_by_calls
from shapecheck.static.domain.objects import Collection, FunctionValue, Instance
from shapecheck.static.domain.structure import children
from shapecheck.static.domain.values import Method
from shapecheck.static.engine.run import Run

_HOLDING = (Instance, Collection, tuple, Alternatives)
_FLAG = (bool, str, type(None))
_MOST = 300
"""The number of objects that are looked at."""
_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def havoc_visited(run: Run, root: Value) -> None:
    """Havocs the flags that the running function may set on the parts of a model, which it is about to visit."""
    function = run.frame.function
    if isinstance(function, _Function):
        _havoc_flags(run, root, writes_of(function))


def havoc_switched(run: Run, root: Value, function: Value) -> None:
    """Havocs the flags that a function sets, which `root.apply(function)` calls with each part."""
    followed = function.function if isinstance(function, Method) else function
    if isinstance(followed, FunctionValue) and isinstance(followed.node, _Function):
        _havoc_flags(run, root, writes_of(followed.node))


def _havoc_flags(run: Run, root: Value, writes: MethodWrites) -> None:
    if not writes.read:
        return
    for one in list(_objects_in(root)):
        flags = {name for name, held in one.fields.items() if isinstance(name, str) and isinstance(held, _FLAG)}
        for name in flags & written_by_calls(one.cls, writes.read) if flags else ():
            run.journal.write(one, name, Unknown(f"attribute {value_text(name)} that may have been switched"))


def _objects_in(root: Value) -> Iterator[Instance]:
    seen: set[int] = set()
    pending = [root]
    while pending and len(seen) < _MOST:
        one = pending.pop()
        if id(one) in seen or not isinstance(one, _HOLDING):
            continue
        seen.add(id(one))
        if isinstance(one, Instance):
            yield one
        pending += children(one)
