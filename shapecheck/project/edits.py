"""What an edit of a file changed, as the names whose values other code may now see differently.

Two things make the answer "everything": a changed statement that does more than bind names, and a change of what the
analysis searches for in a whole file, such as the attributes that its code sets on other objects.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from shapecheck.project.definitions import Definition, Resolve, definitions_of, imported_by, names_in, targets
from shapecheck.project.file_marks import filled_by, marks_of, read_in_parts
from shapecheck.project.parsing import CANNOT_PARSE
from shapecheck.project.source import split_lines

_TELLING = re.compile(r"#.*(?:[(\[\u00d7]|\bx\b|times|shar|\bti[ey]).*", re.IGNORECASE)
"""Comments that the analysis may read in a function of another file: about shapes, and about shared layers."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_VARIABLES = (ast.Assign, ast.AnnAssign, ast.If, ast.Try)
_EXPORTING = frozenset(("__all__", "__getattr__"))
"""Names that decide which others a module has."""
_Key = tuple[Hashable, ...]


def changed_names(old: str, new: str, resolve: Resolve) -> frozenset[str] | None:
    """The names that an edit adds, removes or changes in the namespace of a file; None if anything may be different."""
    try:
        before, after = definitions_of(old, resolve), definitions_of(new, resolve)
    except CANNOT_PARSE:
        return None
    every = [*before, *after]
    changed = _changed(before, after, split_lines(old), split_lines(new))
    if changed is None or marks_of(old) != marks_of(new) or _differ(filled_by, *changed):
        return None
    if _differ(read_in_parts, *changed) and _differ(read_in_parts, before, after):
        return None
    different = [*changed[0], *changed[1]]
    if not all(one.is_plain for one in different) or _may_redirect(different, resolve):
        return None
    names = frozenset[str]().union(*(one.names for one in different))
    if not names.isdisjoint(_EXPORTING):
        return None
    return names | _ancestors(different, every) | _given_away(different, every)


def _changed(
    before: Sequence[Definition], after: Sequence[Definition], old: Sequence[str], new: Sequence[str]
) -> tuple[list[Definition], list[Definition]] | None:
    """The definitions that differ, in both versions; None if others changed their order."""
    earlier, later = dict(_keyed(before)), dict(_keyed(after))
    kept = [key for key in earlier if key in later]
    if kept != [key for key in later if key in earlier]:
        return None
    same = {key for key in kept if _are_equal(earlier[key].node, later[key].node, old, new)}
    return [one for key, one in earlier.items() if key not in same], [
        one for key, one in later.items() if key not in same
    ]


def _keyed(definitions: Iterable[Definition]) -> Iterator[tuple[_Key, Definition]]:
    """The definitions, each with what identifies it in several versions of the file."""
    count: Counter[_Key] = Counter()
    for one in definitions:
        names = tuple(sorted(one.names))
        key: _Key = (type(one.node).__name__, names or ast.dump(one.node))
        count[key] += 1
        yield (*key, count[key]), one


def _are_equal(one: ast.stmt, other: ast.stmt, old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether two statements are the same, except for where they are."""
    first, second = _lines(one, old), _lines(other, new)
    if first == second:
        return one.col_offset == other.col_offset and one.end_col_offset == other.end_col_offset
    if ast.dump(one) != ast.dump(other):
        return False
    return isinstance(one, _IMPORTS) or _TELLING.findall("".join(first)) == _TELLING.findall("".join(second))


def _lines(node: ast.stmt, lines: Sequence[str]) -> Sequence[str]:
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(one.lineno for one in decorators)])
    return lines[first - 1 : node.end_lineno]


def _may_redirect(different: Iterable[Definition], resolve: Resolve) -> bool:
    """Whether a changed statement imports a module of the project, whose body runs earlier, later or not at all then."""
    return any(
        name.name == "*" or any(found is not None for found in targets(name, resolve))
        for one in different
        if not isinstance(one.node, _FUNCTIONS)
        for node in ast.walk(one.node)
        if isinstance(node, _IMPORTS)
        for name in imported_by(node)
    )


def _differ(facts: Callable[[ast.AST], set[str]], earlier: Iterable[Definition], later: Iterable[Definition]) -> bool:
    """Whether some facts about the source of definitions are not the same."""
    one, other = (set[str]().union(*(facts(each.node) for each in these)) for these in (earlier, later))
    return one != other


def _ancestors(different: Iterable[Definition], every: Iterable[Definition]) -> set[str]:
    """The bases of changed classes: how their methods are called depends on which subclasses the file has."""
    classes: dict[str, set[str]] = {}
    for definition in every:
        for node in ast.walk(definition.node):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, set()).update(names_in(*node.bases))
    found: set[str] = set()
    waiting = [name for one in different if not one.is_import for name in one.names if name in classes]
    while waiting:
        more = classes.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found


def _given_away(different: Iterable[Definition], every: Iterable[Definition]) -> set[str]:
    """The variables that changed statements mention while the body of the module runs: their objects may escape."""
    variables = {name for one in every if isinstance(one.node, _VARIABLES) for name in one.names}
    executed = [part for one in different for part in _executed(one.node)]
    return variables & names_in(*executed)


def _executed(node: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that run when it runs: of a function its decorators and defaults."""
    if isinstance(node, _FUNCTIONS):
        yield from (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults))
    elif isinstance(node, ast.ClassDef):
        yield from (*node.decorator_list, *node.bases)
        for one in node.body:
            yield from _executed(one)
    else:
        yield node
