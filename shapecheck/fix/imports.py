"""Imports names where an import sorter would put them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import libcst as cst
from libcst.helpers import get_full_name_for_node

from shapecheck.fix.rewrite import Statement


def add_names(module: cst.Module, home: str, names: set[str], width: int) -> cst.Module:
    """The module with `names` imported from `home`: in a `from home import` that it has, else in a new one.

    An empty name is the import of the module itself.
    """
    if "" in names:
        module = _with_line(module, home, f"import {home}")
    names = names - {""}
    if not names:
        return module
    for number, statement in enumerate(module.body):
        if isinstance(statement, cst.ClassDef | cst.FunctionDef):
            break
        imported = _import_from(statement)
        if imported is not None and _module_of(imported) == home and isinstance(imported.names, Sequence):
            extended = _extended(statement, imported, names, width, module)
            return module.with_changes(body=[*module.body[:number], extended, *module.body[number + 1 :]])
    return _with_line(module, home, f"from {home} import {', '.join(sorted(names, key=_sort_key))}")


# -- an existing `from typing import`


def _extended(
    statement: Statement, imported: cst.ImportFrom, names: set[str], width: int, module: cst.Module
) -> Statement:
    assert isinstance(imported.names, Sequence)
    aliases = [*imported.names]
    between = _between(imported)
    for name in sorted(names):
        _insert(aliases, name, between)
    changed = imported.with_changes(names=aliases)
    if imported.lpar is None and len(module.code_for_node(changed)) > width:
        changed = _wrapped(changed, module.default_indent)
    return statement.with_deep_changes(imported, names=changed.names, lpar=changed.lpar, rpar=changed.rpar)


def _between(imported: cst.ImportFrom) -> cst.Comma:
    """The comma between two names: with a line end if the list has a line for each name."""
    assert isinstance(imported.names, Sequence)
    space = imported.lpar.whitespace_after if imported.lpar is not None else None
    one_a_line = all(
        isinstance(alias.comma, cst.Comma) and isinstance(alias.comma.whitespace_after, cst.ParenthesizedWhitespace)
        for alias in imported.names
    )
    if not isinstance(space, cst.ParenthesizedWhitespace) or not one_a_line:
        return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    end = cst.TrailingWhitespace(newline=space.first_line.newline)
    return cst.Comma(whitespace_after=space.with_changes(first_line=end, empty_lines=[]))


def _insert(aliases: list[cst.ImportAlias], name: str, between: cst.Comma) -> None:
    place = next(
        (i for i, alias in enumerate(aliases) if _sort_key(_alias_name(alias)) > _sort_key(name)), len(aliases)
    )
    if place < len(aliases):
        aliases.insert(place, cst.ImportAlias(name=cst.Name(name), comma=between))
        return
    last = aliases[-1]
    aliases[-1] = last.with_changes(comma=_continued(last.comma, between))
    aliases.append(cst.ImportAlias(name=cst.Name(name), comma=_closing(last.comma)))


def _continued(comma: cst.Comma | cst.MaybeSentinel, between: cst.Comma) -> cst.Comma:
    """The comma of the last name when another follows, with the comment that it may have."""
    space = comma.whitespace_after if isinstance(comma, cst.Comma) else None
    if isinstance(space, cst.ParenthesizedWhitespace) and isinstance(
        between.whitespace_after, cst.ParenthesizedWhitespace
    ):
        return between.with_changes(whitespace_after=between.whitespace_after.with_changes(first_line=space.first_line))
    return between


def _closing(comma: cst.Comma | cst.MaybeSentinel) -> cst.Comma | cst.MaybeSentinel:
    """The comma of a new last name: that of the old one, without its comment."""
    if isinstance(comma, cst.Comma) and isinstance(comma.whitespace_after, cst.ParenthesizedWhitespace):
        space = comma.whitespace_after
        end = cst.TrailingWhitespace(newline=space.first_line.newline)
        return comma.with_changes(whitespace_after=space.with_changes(first_line=end))
    return comma


def _wrapped(imported: cst.ImportFrom, step: str) -> cst.ImportFrom:
    """The names in parentheses, a line for each, as black lays out an import that is too long."""
    assert isinstance(imported.names, Sequence)

    def line_end(indent: str) -> cst.ParenthesizedWhitespace:
        return cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace(indent))

    names = [alias.with_changes(comma=cst.Comma(whitespace_after=line_end(step))) for alias in imported.names]
    names[-1] = names[-1].with_changes(comma=cst.Comma(whitespace_after=line_end("")))
    return imported.with_changes(
        names=names, lpar=cst.LeftParen(whitespace_after=line_end(step)), rpar=cst.RightParen()
    )


def _alias_name(alias: cst.ImportAlias) -> str:
    return get_full_name_for_node(alias.name) or ""


def _sort_key(name: str) -> tuple[int, str]:
    """isort's default order inside one import: constants, classes, then the rest."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name


# -- a new line


def _with_line(module: cst.Module, home: str, text: str) -> cst.Module:
    body: list[Statement] = list(module.body)
    line = cst.parse_statement(text, module.config_for_parsing)
    assert isinstance(line, cst.SimpleStatementLine)
    start = _first_import(body, _after_preamble(body))
    is_standard = home.partition(".")[0] in sys.stdlib_module_names
    group = _first_group(body, start) if is_standard else _other_group(body, start)
    alike = [place for place in group if _is_standard(body[place]) is is_standard and not _is_relative(body[place])]
    place = _place_among(body, alike, line, home) if alike else (start if is_standard else _after_imports(body, start))
    if alike and place in alike:
        _insert_at(body, place, line)
    elif alike:
        body.insert(place, line)
    else:
        _insert_above(body, place, line)
    return module.with_changes(body=body)


def _other_group(body: Sequence[Statement], start: int) -> list[int]:
    """The first group of imports with one from outside of the standard library; torch is always one."""
    while start < len(body):
        start = next((place for place in range(start, len(body)) if _is_import(body[place])), len(body))
        group = _first_group(body, start)
        if any(not _is_standard(body[place]) and not _is_relative(body[place]) for place in group):
            return group
        start = group[-1] + 1 if group else start + 1
        if start < len(body) and not isinstance(body[start], cst.SimpleStatementLine):
            break
    return []


def _after_imports(body: Sequence[Statement], start: int) -> int:
    """The position after the imports of the standard library at the top."""
    group = _first_group(body, start)
    standard = [place for place in group if _is_standard(body[place])]
    return standard[-1] + 1 if standard else start


def _is_relative(statement: Statement) -> bool:
    imported = _import_from(statement)
    return imported is not None and bool(imported.relative)


def _insert_at(body: list[Statement], place: int, line: cst.SimpleStatementLine) -> None:
    """Insert above an import of a group, and take over the lines above it."""
    following = body[place]
    assert isinstance(following, cst.SimpleStatementLine)
    body[place] = following.with_changes(leading_lines=[])
    body.insert(place, line.with_changes(leading_lines=following.leading_lines))


def _insert_above(body: list[Statement], start: int, line: cst.SimpleStatementLine) -> None:
    """Insert as a new group above the statement at `start`."""
    if start < len(body):
        following = body[start]
        leading = list(getattr(following, "leading_lines", []))
        line = line.with_changes(leading_lines=[blank for blank in leading[:1] if start and blank.comment is None])
        body[start] = following.with_changes(leading_lines=_blanks_above(following, leading))
    body.insert(start, line)


def _after_preamble(body: Sequence[Statement]) -> int:
    """The position after the docstring and the `from __future__` imports."""
    place = 0
    if body and _is_docstring(body[0]):
        place = 1
    for number in range(place, len(body)):
        imported = _import_from(body[number])
        if imported is None or _module_of(imported) != "__future__":
            break
        place = number + 1
    return place


def _first_import(body: Sequence[Statement], start: int) -> int:
    """The first import that only simple statements precede, such as `__all__ = [...]`; else `start`."""
    for number in range(start, len(body)):
        if not isinstance(body[number], cst.SimpleStatementLine):
            break
        if _is_import(body[number]):
            return number
    return start


def _first_group(body: Sequence[Statement], start: int) -> list[int]:
    """The run of imports from `start` that no blank line, comment or other statement breaks."""
    group: list[int] = []
    for number in range(start, len(body)):
        statement = body[number]
        if not _is_import(statement) or (group and getattr(statement, "leading_lines", None)):
            break
        group.append(number)
    return group


def _place_among(body: Sequence[Statement], alike: list[int], line: cst.SimpleStatementLine, home: str) -> int:
    """The position after the plain imports, among the `from` imports by module name; of `import x`, before these."""
    for number in alike:
        imported = _import_from(body[number])
        if imported is not None and (_import_from(line) is None or _module_of(imported).lower() > home):
            return number
    return alike[-1] + 1


def _blanks_above(statement: Statement, leading: list[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """One blank line above an import or another statement, two above a class or function, then its comments."""
    while leading and leading[0].comment is None:
        leading = leading[1:]
    count = 2 if isinstance(statement, cst.ClassDef | cst.FunctionDef) else 1
    return [*([cst.EmptyLine(indent=False)] * count), *leading]


def _is_docstring(statement: Statement) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine) or not isinstance(statement.body[0], cst.Expr):
        return False
    return isinstance(statement.body[0].value, cst.SimpleString | cst.ConcatenatedString)


def _is_import(statement: Statement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.Import | cst.ImportFrom)


def _import_from(statement: Statement) -> cst.ImportFrom | None:
    if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.ImportFrom):
        return statement.body[0]
    return None


def _is_standard(statement: Statement) -> bool:
    assert isinstance(statement, cst.SimpleStatementLine)
    small = statement.body[0]
    if isinstance(small, cst.ImportFrom):
        return not small.relative and _module_of(small).partition(".")[0] in sys.stdlib_module_names
    assert isinstance(small, cst.Import)
    first = get_full_name_for_node(small.names[0].name) or ""
    return first.partition(".")[0] in sys.stdlib_module_names


def _module_of(imported: cst.ImportFrom) -> str:
    if imported.relative or imported.module is None:
        return ""
    return get_full_name_for_node(imported.module) or ""
