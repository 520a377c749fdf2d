"""What depends on the active calls: recursion, and what the running methods are."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set
from typing import TYPE_CHECKING

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.fingerprints import NotMemoizable, fingerprint
from shapecheck.static.engine.budget import MOST_DEPTH

if TYPE_CHECKING:
    from shapecheck.static.engine.run import Run


def may_follow(run: Run, function: ast.AST, arguments: Mapping[str, Value]) -> bool:
    """Whether a call is within the limits of depth and recursion.

    A recursive call with the arguments of an active one leads nowhere: it would call itself again in the same way.
    """
    if len(run.frames) >= MOST_DEPTH:
        run.mark_uncacheable()
        return False
    depth = run.running[function]
    if not depth:
        run.budget.begin_recursion(function)
        return True
    active = [index for index, one in enumerate(run.frames) if one.function is function]
    if depth > 1:
        key = recursion_key(run, function, arguments)
        same = next((index for index in active if key is not None and run.frames[index].recursion_key == key), None)
        if same is not None:
            run.effects.outermost_frame = min(run.effects.outermost_frame, same)
            return False
    if run.budget.allows_recursion(function, depth):
        return True
    run.effects.outermost_frame = min(run.effects.outermost_frame, active[0])
    return False


def recursion_key(run: Run, function: ast.AST, arguments: Mapping[str, Value]) -> list[object] | None:
    """The arguments of a recursive call; None for a call that is not recursive, or if they cannot be compared."""
    if not run.running[function]:
        return None
    try:
        return fingerprint(dict(arguments))[0]
    except NotMemoizable:
        return None


def running_among(run: Run, names: Set[str]) -> frozenset[str]:
    """Those of the names that an active function has.

    A call that asks is reused only where those that it did not find are not active either.
    """
    found: set[str] = set()
    for index in range(len(run.frames) - 1, -1, -1):
        name = run.frames[index].name
        if name in names and name not in found:
            found.add(name)
            run.effects.outermost_frame = min(run.effects.outermost_frame, index)
    run.effects.absent |= names - found
    return frozenset(found)
