"""What an edit of a file changed: the names whose values other code may now see differently, and bodies of functions.

Two things make the answer "everything": a changed statement that does more than bind names, and a change of what the
analysis searches for in a whole file, such as the attributes that its code sets on other objects.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from itertools import zip_longest
from typing import NamedTuple

from shapecheck.project.definitions import Resolve, TopLevelDefinition, definitions_of, imported_by, names_in, targets
from shapecheck.project.file_marks import filled_by, imports_relatively, marks_of, read_in_parts
from shapecheck.project.integer_attributes import integer_attributes
from shapecheck.project.observed_code import units_of
from shapecheck.project.parsing import CANNOT_PARSE
from shapecheck.project.source import split_lines
from shapecheck.project.tree_walk import walk

_SIZE = r"(?:[A-Z]\w{0,3}|\d{1,4}|[a-z]\d?|\.\.\.|[A-Z]/+\d)"
_TELLING = re.compile(
    rf"#.*(?:(?i:[(\[\u00d7]|\bx\b|times|shar|\bt(?:ie|ied|ying)\b)|(?<!\w){_SIZE}(?:[ ]*,[ ]*|[ \t]+){_SIZE}\s*$).*",
    re.MULTILINE,
)
"""Comments that the analysis may read in a function of another file: about shapes, and about shared layers."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_VARIABLES = (ast.Assign, ast.AnnAssign, ast.If, ast.Try)
_EXPORTING = frozenset(("__all__", "__getattr__"))
"""Names that decide which others a module has."""
_Key = tuple[Hashable, ...]


class TextChange(NamedTuple):
    """What an edit changed: names in the namespace of the file, and functions in nothing but their bodies."""

    names: frozenset[str]
    units: frozenset[str]
    subclasses: bool = False
    """Whether a class of the project has more or fewer subclasses, for each of which Python may call a hook."""


def change_of(old: str, new: str, resolve: Resolve, *, is_run: bool = True) -> TextChange | None:
    """What an edit of a file changed; None if anything may be different.

    is_run: whether the body of the new version runs in any case, so that what its imports resolve to is recorded.
    """
    try:
        before, after = _Version(old, resolve), _Version(new, resolve)
    except CANNOT_PARSE:
        return None
    changed = _changed(before, after)
    if changed is None or before.marks() != after.marks() or _differ(filled_by, changed):
        return None
    if _differ(integer_attributes, changed):
        return None
    if _differ(read_in_parts, changed) and _differ(read_in_parts, zip_longest(before.definitions, after.definitions)):
        return None
    units = frozenset[str]()
    different: list[TopLevelDefinition] = []
    for one, other in changed:
        inside = _changed_bodies(one, other, before, after)
        if inside is None:
            different += filter(None, (one, other))
        else:
            units |= inside
    if _may_redirect(different, resolve if is_run else _any_file):
        return None
    names = _changed_names(different, [*before.definitions, *after.definitions])
    return None if names is None else TextChange(names, units, any(_is_of_other_bases(*pair) for pair in changed))


def _is_of_other_bases(one: TopLevelDefinition | None, other: TopLevelDefinition | None) -> bool:
    bases = [
        {ast.dump(base) for each in walk(version.node) if isinstance(each, ast.ClassDef) for base in each.bases}
        for version in (one, other)
        if version is not None
    ]
    return any(bases) and (len(bases) == 1 or bases[0] != bases[1])


def _any_file(_level: int, dotted: str) -> str:
    return dotted


def _changed_names(different: list[TopLevelDefinition], every: list[TopLevelDefinition]) -> frozenset[str] | None:
    names = frozenset[str]().union(*(one.names for one in different))
    if not all(one.is_plain for one in different) or names & _EXPORTING:
        return None
    return names | _ancestors(different, every) | _given_away(different, every)


class _Version:
    """A version of a file: its text in lines, its definitions, and the names of its units."""

    def __init__(self, text: str, resolve: Resolve) -> None:
        self.lines = split_lines(text)
        self.definitions = definitions_of(text, resolve)
        self.units = {node: name for name, node in units_of(one.node for one in self.definitions)}

    def marks(self) -> Hashable:
        """What the analysis searches for in the whole file, and in its functions and classes."""
        inside = [line for one in self.definitions if isinstance(one.node, _SCOPES) for line in self._text(one.node)]
        parts = (marks_of("".join(self.lines)), marks_of("".join(inside)))
        return *map(frozenset, parts), imports_relatively(each for one in self.definitions for each in walk(one.node))

    def _text(self, node: ast.stmt) -> list[str]:
        return self.lines[node.lineno - 1 : node.end_lineno]

    def comments(self, lines: Iterable[int]) -> list[str]:
        """The comments on these lines that the analysis may read."""
        return _TELLING.findall("".join(self.lines[line - 1] for line in lines))

    def commented(self, lines: Iterable[int]) -> list[str]:
        """These lines if the analysis may read comments on them, which are about the code next to them."""
        found = [self.lines[line - 1] for line in lines]
        return found if _TELLING.search("".join(found)) else []


_Pair = tuple["TopLevelDefinition | None", "TopLevelDefinition | None"]


def _changed(before: _Version, after: _Version) -> list[_Pair] | None:
    """The definitions that differ, in both versions; None if others changed their order."""
    earlier, later = dict(_keyed(before.definitions)), dict(_keyed(after.definitions))
    kept = [key for key in earlier if key in later]
    if kept != [key for key in later if key in earlier]:
        return None
    found: list[_Pair] = [
        (earlier[key], later[key]) for key in kept if not _is_same(key, earlier, later, before, after)
    ]
    found += [(one, None) for key, one in earlier.items() if key not in later]
    return found + [(None, one) for key, one in later.items() if key not in earlier]


def _keyed(definitions: Iterable[TopLevelDefinition]) -> Iterator[tuple[_Key, TopLevelDefinition]]:
    """The definitions, each with what identifies it in several versions of the file."""
    count: Counter[_Key] = Counter()
    for one in definitions:
        names = tuple(sorted(one.names))
        key: _Key = (type(one.node).__name__, names or ast.dump(one.node))
        count[key] += 1
        yield (*key, count[key]), one


def _is_same(
    key: _Key,
    earlier: Mapping[_Key, TopLevelDefinition],
    later: Mapping[_Key, TopLevelDefinition],
    before: _Version,
    after: _Version,
) -> bool:
    """Whether two statements are the same, except for where they are."""
    one, other = earlier[key].node, later[key].node
    first, second = before.lines[one.lineno - 1 : one.end_lineno], after.lines[other.lineno - 1 : other.end_lineno]
    if first == second and ast.dump(one) == ast.dump(other):
        return True
    if ast.dump(one) != ast.dump(other):
        return False
    return isinstance(one, _IMPORTS) or before.commented(_lines(one)) == after.commented(_lines(other))


def _changed_bodies(
    one: TopLevelDefinition | None, other: TopLevelDefinition | None, before: _Version, after: _Version
) -> frozenset[str] | None:
    """The functions whose bodies differ; None if something else differs, too."""
    if one is None or other is None:
        return None
    first, second = _bodies(one.node, before), _bodies(other.node, after)
    if first.pop("") != second.pop("") or first.keys() != second.keys():
        return None
    return frozenset(name for name, body in first.items() if second[name] != body)


def _bodies(node: ast.stmt, version: _Version) -> dict[str, object]:
    """What the bodies of the units in a definition contain, by name, and under the empty name what is around them."""
    inner = set(walk(node))
    units = {name: one for one, name in version.units.items() if one in inner}
    found: dict[str, object] = {}
    outside = set(_lines(node))
    for name, one in units.items():
        inside = range(one.lineno, (one.end_lineno or one.lineno) + 1)
        outside -= set(inside)
        found[name] = [ast.dump(statement) for statement in one.body], version.commented(inside)
    bodies = {name: one.body for name, one in units.items()}
    for one in units.values():
        one.body = []
    found[""] = ast.dump(node), version.comments(sorted(outside))
    for name, one in units.items():
        one.body = bodies[name]
    return found


def _lines(node: ast.stmt) -> range:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    return range(first, (node.end_lineno or node.lineno) + 1)


def _may_redirect(different: Iterable[TopLevelDefinition], resolve: Resolve) -> bool:
    """Whether a changed statement imports a module of the project, whose body then runs at another time or not."""
    return any(
        name.name == "*" or any(found is not None for found in targets(name, resolve))
        for one in different
        if not isinstance(one.node, _FUNCTIONS)
        for node in walk(one.node)
        if isinstance(node, _IMPORTS)
        for name in imported_by(node)
    )


def _differ(facts: Callable[[ast.AST], Set[str]], pairs: Iterable[_Pair]) -> bool:
    """Whether some facts about the source of definitions are not the same before and after the edit."""
    earlier, later = set[str](), set[str]()
    for one, other in pairs:
        earlier |= set() if one is None else facts(one.node)
        later |= set() if other is None else facts(other.node)
    return earlier != later


def _ancestors(different: list[TopLevelDefinition], every: Iterable[TopLevelDefinition]) -> set[str]:
    """The bases of changed classes: how their methods are called depends on which subclasses the file has."""
    classes: dict[str, set[str]] = {}
    for definition in every:
        for node in walk(definition.node):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, set()).update(names_in(*node.bases))
    found: set[str] = set()
    waiting = [name for one in different if not one.is_import for name in one.names if name in classes]
    while waiting:
        more = classes.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found


def _given_away(different: list[TopLevelDefinition], every: Iterable[TopLevelDefinition]) -> set[str]:
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
