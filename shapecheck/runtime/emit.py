"""Generates the statements that check one value, as Python source; a value that does not match raises Mismatch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from shapecheck.runtime.arrays import array_condition, later_tests
from shapecheck.runtime.hints import (
    AnythingHint,
    ArrayHint,
    ClassHint,
    Hint,
    MappingHint,
    RecordHint,
    SequenceHint,
    TupleHint,
    UnionHint,
)
from shapecheck.runtime.scope import BindingState, Names, SizeScope, Unsupported

Lines = list[str]
_WIDTH = 110


def check_lines(hint: Hint, value: str, scope: SizeScope, alternative: bool = False) -> Lines:
    """The lines that check `value`, a variable."""
    guard, body = _guarded(hint, value, scope, alternative)
    return [*_refuse_unless(guard), *body]


def finish(scope: SizeScope) -> Lines:
    """The lines that end a scope: symbolic axes that were deferred until their sizes are bound."""
    return _refuse_unless(list(later_tests(scope)))


def _refuse_unless(tests: Iterable[str]) -> Lines:
    """`if not (...): raise Mismatch`."""
    tests = list(tests)
    if not tests:
        return []
    joined = " and ".join(tests)
    if len(joined) <= _WIDTH:
        alone = len(tests) == 1 and re.fullmatch(r"\w+\([^()]*\)", joined)
        return [f"if not {joined}:" if alone else f"if not ({joined}):", "    raise Mismatch"]
    return ["if not (", f"    {tests[0]}", *(f"    and {test}" for test in tests[1:]), "):", "    raise Mismatch"]


def indented(lines: Iterable[str]) -> Lines:
    """One level deeper."""
    return [f"    {line}" for line in lines]


def _guarded(hint: Hint, value: str, scope: SizeScope, alternative: bool) -> tuple[Lines, Lines]:
    """Tests that decide whether this member applies, and the lines that check the rest."""
    if isinstance(hint, AnythingHint):
        return [], []
    if isinstance(hint, ArrayHint):
        condition = array_condition(hint, value, scope, alternative)
        return condition.tests, condition.bindings
    if isinstance(hint, ClassHint):
        return [_plain(hint, value, scope.names)], []
    if isinstance(hint, UnionHint):
        return [], _choice(hint, value, scope)
    return [_is(value, _kind(hint), scope.names)], _inside(hint, value, scope, alternative)


def _kind(hint: SequenceHint | TupleHint | MappingHint | RecordHint) -> type:
    return tuple if isinstance(hint, TupleHint) else hint.kind


def _plain(hint: ClassHint, value: str, names: Names) -> str:
    if hint.classes is None:
        return f"{names.constant('fits', hint.test)}({value})"
    if hint.classes == (type(None),):
        return f"{value} is None"
    return _is(value, hint.classes[0] if len(hint.classes) == 1 else hint.classes, names)


def _is(value: str, kind: type | tuple[type, ...], names: Names) -> str:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    shown = [names.constant(one.__name__, one) if one not in _BUILTIN else one.__name__ for one in kinds]
    return f"isinstance({value}, {shown[0] if len(shown) == 1 else '(' + ', '.join(shown) + ')'})"


_BUILTIN = frozenset((bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type, object, slice))


def _inside(
    hint: SequenceHint | TupleHint | MappingHint | RecordHint, value: str, scope: SizeScope, alternative: bool
) -> Lines:
    names = scope.names
    if isinstance(hint, SequenceHint):
        item = names.fresh(f"{value}_item")
        body = _repeated(scope, lambda inner: check_lines(hint.item, item, inner, True))
        return _loop(f"for {item} in {value}:", body, hint.first_only)
    if isinstance(hint, MappingHint):
        key, held = names.fresh(f"{value}_key"), names.fresh(f"{value}_value")

        def entry(inner: SizeScope) -> Lines:
            return [*check_lines(hint.key, key, inner, True), *check_lines(hint.value, held, inner, True)]

        return _loop(f"for {key}, {held} in {value}.items():", _repeated(scope, entry), hint.first_only)
    if isinstance(hint, TupleHint):
        return _places(hint, value, scope, alternative)
    return _fields(hint, value, scope, alternative)


def _places(hint: TupleHint, value: str, scope: SizeScope, alternative: bool) -> Lines:
    lines = _refuse_unless([f"len({value}) == {len(hint.items)}"])
    if not hint.items:
        return lines
    items = [scope.names.fresh(f"{value}_{index}") for index in range(len(hint.items))]
    lines.append(f"{', '.join(items)}{',' if len(items) == 1 else ''} = {value}")
    for item, inner in zip(items, hint.items, strict=True):
        lines += check_lines(inner, item, scope, alternative)
    return lines


def _fields(hint: RecordHint, value: str, scope: SizeScope, alternative: bool) -> Lines:
    inside = SizeScope(scope.names, broadcasting=scope.broadcasting, holes=scope.holes) if hint.alone else scope
    lines: Lines = []
    for name, field in hint.fields:
        held = scope.names.fresh(f"{value}_{name}")
        lines += [f"{held} = {value}.{name}", *check_lines(field, held, inside, alternative and not hint.alone)]
    return [*inside.start, *lines, *finish(inside)] if hint.alone else lines


def _loop(head: str, body: Lines, first_only: bool) -> Lines:
    if not body:
        return []
    return [head, *body, *(["    break"] if first_only else [])]


def _repeated(scope: SizeScope, write: Callable[[SizeScope], Lines]) -> Lines:
    """The body of a loop: what it binds is unbound in the first iteration, and remains so if the loop is empty."""
    trial = scope.copy()
    write(trial)
    for axis, state in trial.known.items():
        if state is not BindingState.UNBOUND and scope.state(axis) is not BindingState.BOUND:
            scope.may_be_unbound(axis)
    before = dict(scope.known)
    lines = indented(write(scope))
    scope.known = before
    return lines


def _choice(hint: UnionHint, value: str, scope: SizeScope) -> Lines:
    members = _flat(hint)
    if sum(isinstance(member, (SequenceHint, MappingHint, RecordHint, TupleHint)) for member in members) > 1:
        _refuse_overlap(members)
    lines: Lines = []
    before = dict(scope.known)
    after: list[dict[str, BindingState]] = []
    touched = _touched(members, value, scope)
    for axis in touched:
        scope.variable(axis)
    optional = len(members) == 2 and _is_none(members[0])
    for index, member in enumerate(members):
        scope.known = dict(before)
        if optional:
            inside = check_lines(member, value, scope, True) if index else []
            lines += [f"if {value} is not None:", *indented(inside)] if inside else []
        else:
            guard, body = _guarded(member, value, scope, True)
            word = "elif" if index else "if"
            lines += [f"{word} {' and '.join(guard) or 'True'}:", *indented(body or ["pass"])]
        after.append(scope.known)
    scope.known = before
    for axis in touched:
        states = [known.get(axis, BindingState.UNBOUND) for known in after]
        if all(state is BindingState.BOUND for state in states):
            scope.bind(axis)
        else:
            scope.may_be_unbound(axis)
    return lines if optional else [*lines, "else:", "    raise Mismatch"]


def _is_none(hint: Hint) -> bool:
    return isinstance(hint, ClassHint) and hint.classes == (type(None),)


def _touched(members: list[Hint], value: str, scope: SizeScope) -> list[str]:
    """The sizes that a member binds and that are not bound before."""
    found: dict[str, None] = {}
    for member in members:
        trial = scope.copy()
        _guarded(member, value, trial, True)
        found.update(dict.fromkeys(axis for axis in trial.known if scope.state(axis) is not BindingState.BOUND))
    return list(found)


def _flat(hint: UnionHint) -> list[Hint]:
    """The members, including those of inner unions; None first, because it is the fastest to test."""
    flat: list[Hint] = []
    for member in hint.members:
        flat += _flat(member) if isinstance(member, UnionHint) else [member]
    return sorted(flat, key=lambda member: not _is_none(member))


def _refuse_overlap(members: list[Hint]) -> None:
    kinds = [
        _kind(member) for member in members if isinstance(member, (SequenceHint, MappingHint, RecordHint, TupleHint))
    ]
    for index, kind in enumerate(kinds):
        if any(issubclass(kind, other) or issubclass(other, kind) for other in kinds[index + 1 :]):
            raise Unsupported
