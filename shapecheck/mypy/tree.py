"""The children of mypy's nodes: its own visitors are compiled traits, which a plugin cannot subclass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from mypy import nodes as n

_CHILDREN: dict[type[n.Node], tuple[str, ...]] = {
    n.AssertStmt: ("expr",),
    n.AssignmentExpr: ("value",),
    n.AssignmentStmt: ("lvalues", "rvalue"),
    n.AwaitExpr: ("expr",),
    n.Block: ("body",),
    n.CallExpr: ("callee", "args"),
    n.ClassDef: ("defs",),
    n.ComparisonExpr: ("operands",),
    n.ConditionalExpr: ("cond", "if_expr", "else_expr"),
    n.Decorator: ("func",),
    n.DelStmt: ("expr",),
    n.DictExpr: ("items",),
    n.DictionaryComprehension: ("key", "value", "sequences", "condlists"),
    n.ExpressionStmt: ("expr",),
    n.ForStmt: ("expr", "body", "else_body"),
    n.FuncDef: ("body",),
    n.GeneratorExpr: ("left_expr", "sequences", "condlists"),
    n.IfStmt: ("expr", "body", "else_body"),
    n.IndexExpr: ("base", "index"),
    n.LambdaExpr: ("body",),
    n.ListComprehension: ("generator",),
    n.ListExpr: ("items",),
    n.MatchStmt: ("subject", "guards", "bodies"),
    n.MemberExpr: ("expr",),
    n.OperatorAssignmentStmt: ("lvalue", "rvalue"),
    n.OpExpr: ("left", "right"),
    n.OverloadedFuncDef: ("items", "impl"),
    n.ReturnStmt: ("expr",),
    n.SetComprehension: ("generator",),
    n.SetExpr: ("items",),
    n.StarExpr: ("expr",),
    n.TryStmt: ("body", "handlers", "else_body", "finally_body"),
    n.TupleExpr: ("items",),
    n.UnaryExpr: ("expr",),
    n.WhileStmt: ("expr", "body", "else_body"),
    n.WithStmt: ("expr", "body"),
    n.YieldExpr: ("expr",),
    n.YieldFromExpr: ("expr",),
}
_SEQUENCES = (list, tuple)


def children(node: n.Node) -> list[n.Node]:
    """The statements and expressions directly inside a node that have children of their own."""
    found: list[n.Node] = []  # filled here, not by `_collect`, because this runs for every node of a file
    for name in _CHILDREN[type(node)]:
        value = getattr(node, name)
        if type(value) in _CHILDREN:
            found.append(value)
        elif type(value) in _SEQUENCES:
            for item in value:
                if type(item) in _CHILDREN:
                    found.append(item)
                elif type(item) in _SEQUENCES:
                    _collect(item, found)
    return found


def _collect(value: object, found: list[n.Node]) -> None:
    if type(value) in _CHILDREN:
        found.append(cast(n.Node, value))
    elif isinstance(value, (list, tuple)):
        for item in value:
            _collect(item, found)


def has_children(nodes: Iterable[n.Node]) -> list[n.Node]:
    """Those of the nodes that `children` can be asked about."""
    return [node for node in nodes if type(node) in _CHILDREN]
