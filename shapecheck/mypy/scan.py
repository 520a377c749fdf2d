"""One syntactic walk over a file or class: assignments to each place, and later changes to containers.

A place is an attribute of `self` in one class, or a name in one scope. Knowledge about a container is only
kept for a place that is written once, and with every change to it taken into account.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    ClassDef,
    ConditionalExpr,
    DelStmt,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StarExpr,
    StrExpr,
    TempNode,
    TupleExpr,
    WithStmt,
)

from shapecheck.mypy.elements import KINDS, UNKNOWN, Element, change_elements, constructor_elements, items_of, one
from shapecheck.mypy.tree import children, has_children

Place = tuple[int, str]
_ADDERS = {
    "append",
    "insert",
    "extend",
    "add_module",
    "register_module",
    "update",
    "setdefault",
    "__setitem__",
}
_MUTATORS = _ADDERS | {"pop", "clear", "popitem", "__delitem__"}
_SCOPES = frozenset((ClassDef, FuncDef, LambdaExpr, GeneratorExpr, DictionaryComprehension))


class Scan:
    """The facts of one walk; see the attributes."""

    def __init__(self, node: MypyFile | ClassDef) -> None:
        self.writes: defaultdict[Place, list[Expression | None]] = defaultdict(list)
        """The sources a place is written from; None for one that is not a loop."""
        self.changes: defaultdict[Place, list[Element]] = defaultdict(list)
        """The elements that mutations add to the value of the place."""
        self.homes: dict[Expression, Place | None] = {}
        """Constructor-like calls whose result is assigned to one place only, or (None) passed to another such call."""
        self.targets: dict[Expression, Expression] = {}
        """What an expression is assigned to or iterated into."""
        self.places: dict[Expression, Place] = {}
        """The place that each written name or attribute of self refers to."""
        self.foreign: set[str] = set()
        """Attribute names changed through something other than `self`."""
        self.built: defaultdict[Place, set[str]] = defaultdict(set)
        """The names of the callees that create the value of a place."""
        self.buffers: set[str] = set()
        """Names given to `self.register_buffer`."""
        self._scopes: list[Node] = [node]
        self._selves: list[tuple[str, ClassDef]] = []
        for part in has_children(node.defs if isinstance(node, MypyFile) else [node]):
            self._walk(part)

    def _walk(self, node: Node) -> None:
        # This runs for every node of all module classes that are checked, so types are compared by identity.
        kind = type(node)
        handler = _HANDLERS.get(kind)
        if kind in _SCOPES:
            self._walk_scope(node, handler)
            return
        if handler is not None:
            handler(self, node)
        for child in children(node):
            self._walk(child)

    def _walk_scope(self, node: Node, handler: Callable[..., None] | None) -> None:
        owner = self._scopes[-1]
        method = isinstance(node, FuncDef) and isinstance(owner, ClassDef) and bool(node.arguments)
        if isinstance(node, FuncDef) and isinstance(owner, ClassDef) and node.arguments:
            self._selves.append((node.arguments[0].variable.name, owner))
        self._scopes.append(node)
        if handler is not None:
            handler(self, node)
        for child in children(node):
            self._walk(child)
        self._scopes.pop()
        if method:
            self._selves.pop()

    def _place(self, expr: Expression) -> Place | None:
        if isinstance(expr, NameExpr):
            return (id(self._scopes[-1]), expr.name)
        if isinstance(expr, MemberExpr) and (owner := self._owner(expr.expr)) is not None:
            return (id(owner), expr.name)
        return None

    def _owner(self, expr: Expression) -> ClassDef | None:
        if not isinstance(expr, NameExpr):
            return None
        return next((owner for name, owner in reversed(self._selves) if name == expr.name), None)

    # Writes.

    def _function(self, node: FuncDef) -> None:
        for argument in node.arguments:
            self.writes[(id(node), argument.variable.name)].append(None)

    def _comprehension(self, node: GeneratorExpr | DictionaryComprehension) -> None:
        for index, sequence in zip(node.indices, node.sequences, strict=True):
            self._write(index, sequence, loop=True)

    def _assignment(self, node: AssignmentStmt) -> None:
        if isinstance(node.rvalue, TempNode):
            return
        for target in node.lvalues:
            self._write(target, node.rvalue)
            if isinstance(node.rvalue, CallExpr) and (place := self._place(target)) is not None:
                self.built[place].add(getattr(node.rvalue.callee, "name", ""))
        if len(node.lvalues) == 1 and (place := self._place(node.lvalues[0])) is not None:
            self._settle(node.rvalue, place)

    def _walrus(self, node: AssignmentExpr) -> None:
        self._write(node.target, node.value)

    def _for(self, node: ForStmt) -> None:
        self._write(node.index, node.expr, loop=True)

    def _with(self, node: WithStmt) -> None:
        for target in node.target:
            if target is not None:
                self._write(target, None)

    def _write(self, target: Expression, source: Expression | None, *, loop: bool = False) -> None:
        if source is not None:
            self.targets[source] = target
        for leaf in leaves(target):
            if (place := self._place(leaf)) is not None:
                self.places[leaf] = place
                self.writes[place].append(source if loop else None)
        if isinstance(target, IndexExpr) and source is not None:
            self._change(target.base, [one(source)])
        elif isinstance(target, MemberExpr) and self._place(target) is None:
            self._attribute_change(target.expr)

    def _settle(self, value: Expression, place: Place | None) -> None:
        """Records that the constructor call in `value`, and those in its arguments, are only used here."""
        if isinstance(value, ConditionalExpr) and (made := _only_value(value)) is not None:
            value = made
        if not isinstance(value, CallExpr):
            return
        self.homes[value] = place
        kind = KINDS.get(getattr(value.callee, "name", ""))
        for element in constructor_elements(kind, value) if kind else ():
            for choice in element.choices:
                self._settle(choice, None)

    # Changes.

    def _call(self, node: CallExpr) -> None:
        if isinstance(node.callee, MemberExpr) and node.callee.name in _MUTATORS:
            self._change(node.callee.expr, change_elements(node.callee.name, node))
        if isinstance(node.callee, CallExpr):
            self._settle(node.callee, None)
        match node:
            case CallExpr(
                callee=MemberExpr(expr=NameExpr(), name="register_buffer"),
                args=[StrExpr(value=name), value, *_],
            ) if not (isinstance(value, NameExpr) and value.name == "None"):
                self.buffers.add(name)

    def _operator(self, node: OperatorAssignmentStmt) -> None:
        if node.op in ("+", "*"):
            self._change(node.lvalue, items_of(node.rvalue) if node.op == "+" else [])

    def _delete(self, node: DelStmt) -> None:
        if isinstance(node.expr, IndexExpr):
            self._change(node.expr.base, [])

    def _change(self, container: Expression, elements: list[Element]) -> None:
        place = self._place(container)
        if place is not None:
            # An empty change still moves indices, so it is kept as an element without alternatives.
            self.changes[place].extend(elements or [Element(())])
            return
        while isinstance(container, (IndexExpr, MemberExpr)):
            if isinstance(container, MemberExpr):
                self.foreign.add(container.name)
            container = container.base if isinstance(container, IndexExpr) else container.expr
            if (place := self._place(container)) is not None:
                self.changes[place].append(UNKNOWN)
                return

    def _attribute_change(self, container: Expression) -> None:
        if (place := self._place(container)) is not None:
            self.changes[place].append(UNKNOWN)
        elif isinstance(container, MemberExpr):
            self.foreign.add(container.name)


_HANDLERS: dict[type[Node], Callable[..., None]] = {
    AssignmentExpr: Scan._walrus,
    AssignmentStmt: Scan._assignment,
    CallExpr: Scan._call,
    DelStmt: Scan._delete,
    DictionaryComprehension: Scan._comprehension,
    ForStmt: Scan._for,
    FuncDef: Scan._function,
    GeneratorExpr: Scan._comprehension,
    OperatorAssignmentStmt: Scan._operator,
    WithStmt: Scan._with,
}


def _only_value(choice: ConditionalExpr) -> Expression | None:
    """The other branch, if one of the two is None."""
    left, right = choice.if_expr, choice.else_expr
    if isinstance(right, NameExpr) and right.name == "None":
        return left
    return right if isinstance(left, NameExpr) and left.name == "None" else None


def leaves(target: Expression) -> Iterator[Expression]:
    """The names, attributes and items that an assignment target writes to."""
    if isinstance(target, (TupleExpr, ListExpr)):
        for item in target.items:
            yield from leaves(item)
    elif isinstance(target, StarExpr):
        yield from leaves(target.expr)
    else:
        yield target


def describe_class(node: ClassDef) -> dict[str, Any]:
    """The weights of the class's attributes, their constructors, and the buffers it registers; for JSON.

    A weight is how often the class body determines the value of the attribute: 1 is once, with all changes known. A
    change to an attribute that this class does not write itself counts as well, so that the sum over an MRO
    shows whether the facts of a base class still hold for its subclass.
    """
    scan = Scan(node)
    direct = {place for place in scan.homes.values() if place is not None}
    mine = {place for place in (*scan.writes, *scan.changes) if place[0] == id(node)}
    weights = {name: _weight(scan, (owner, name), (owner, name) in direct) for owner, name in sorted(mine)}
    built = {name: sorted(names) for (owner, name), names in sorted(scan.built.items()) if owner == id(node)}
    return {"weights": weights, "built": built, "buffers": sorted(scan.buffers)}


def _weight(scan: Scan, place: Place, direct: bool) -> int:
    written = len(scan.writes.get(place, ()))
    folded = direct and written == 1
    return written + (1 if place in scan.changes and not folded else 0)
