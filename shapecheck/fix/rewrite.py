"""Applies plans to the concrete syntax tree of a file; only class bodies that change are rewritten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import libcst as cst

from shapecheck.fix.call_block import CallBlock
from shapecheck.fix.generated_calls import MARKER

Statement = cst.BaseStatement
Node = TypeVar("Node", bound=cst.CSTNode)
Branch = cst.If | cst.Else | cst.Finally | cst.ExceptHandler | cst.ExceptStarHandler | cst.MatchCase


def rewrite_classes(module: cst.Module, blocks: Mapping[int, CallBlock | None], newline: str) -> cst.Module:
    """Give the classes with these ranks, in source order, their block; None removes a generated block.

    Ranks are those of `shapecheck.project.scope.Class.index`.
    """
    rewriter = _Rewriter(blocks, newline, (module.default_indent, module.default_newline))
    return module.with_changes(body=rewriter.statements(module.body))


class _Rewriter:
    """Walks statement lists in the order in which `project.scope` numbers classes."""

    def __init__(self, blocks: Mapping[int, CallBlock | None], newline: str, defaults: tuple[str, str]) -> None:
        self.blocks = blocks
        self.newline = newline
        self.defaults = defaults
        self.seen = 0

    def statements(self, body: Sequence[Statement]) -> Sequence[Statement]:
        changed = [self.statement(statement) for statement in body]
        return changed if any(new is not old for new, old in zip(changed, body, strict=True)) else body

    def statement(self, node: Statement) -> Statement:
        if isinstance(node, cst.ClassDef):
            return self.class_(node)
        if isinstance(node, cst.SimpleStatementLine):
            return node
        if isinstance(node, cst.Match):
            return _with(node, cases=[self.branch(case) for case in node.cases])
        changes: dict[str, object] = {"body": self.suite(node.body)}  # type: ignore[attr-defined]
        handlers = getattr(node, "handlers", None)
        if handlers:
            changes["handlers"] = [self.branch(handler) for handler in handlers]
        for name in ("orelse", "finalbody"):
            branch = getattr(node, name, None)
            if branch is not None:
                changes[name] = self.branch(branch)
        return _with(node, **changes)

    def branch(self, node: Branch) -> Branch:
        if isinstance(node, cst.If):
            found = self.statement(node)
            assert isinstance(found, cst.If)
            return found
        return _with(node, body=self.suite(node.body))

    def suite(self, node: cst.BaseSuite) -> cst.BaseSuite:
        if isinstance(node, cst.IndentedBlock):
            return _with(node, body=self.statements(node.body))
        return node

    def class_(self, node: cst.ClassDef) -> cst.ClassDef:
        rank = self.seen
        self.seen += 1
        node = _with(node, body=self.suite(node.body))
        if rank not in self.blocks or not isinstance(node.body, cst.IndentedBlock):
            return node
        members, orphans = self._members(node.body.body, self.blocks[rank])
        footer = [*orphans, *node.body.footer]
        return node.with_changes(body=node.body.with_changes(body=members, footer=footer))

    def _members(
        self, body: Sequence[Statement], block: CallBlock | None
    ) -> tuple[list[Statement], list[cst.EmptyLine]]:
        """The members of a class with its block inserted or removed, and the comments without a remaining member."""
        made = list(self._parse(block)) if block else []
        owned = [statement for statement in body if _is_owned(statement)]
        anchor = owned[0] if owned else _last_forward(body) or body[-1]
        kept: list[Statement] = []
        orphans: list[cst.EmptyLine] = []
        for statement in body:
            if not _is_owned(statement):
                kept.append(_below(orphans, statement))
                orphans = []
            elif statement is not anchor or not made:
                orphans += [line for line in _leading(statement) if line.comment is not None]
            if statement is anchor and made:
                kept += [made[0].with_changes(leading_lines=self._above(owned)), *made[1:]]
        return kept, orphans

    def _above(self, owned: list[Statement]) -> Sequence[cst.EmptyLine]:
        """The lines above the replaced block; else a blank line."""
        if owned:
            return _leading(owned[0])
        return [cst.EmptyLine(indent=False, newline=cst.Newline(value=self.newline))]

    def _parse(self, block: CallBlock) -> Iterator[Statement]:
        parsed = cst.parse_module(self.newline.join(["class _:", *block.lines, ""]))
        if (parsed.default_indent, parsed.default_newline) != self.defaults:
            parsed = parsed.visit(_Explicit(parsed))
        holder = parsed.body[0]
        assert isinstance(holder, cst.ClassDef)
        for member in holder.body.body:
            assert isinstance(member, cst.BaseStatement)
            yield member


class _Explicit(cst.CSTTransformer):
    """Writes indentation and line ends into each node that inherits them from its module."""

    def __init__(self, module: cst.Module) -> None:
        super().__init__()
        self.module = module

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(indent=updated_node.indent or self.module.default_indent)

    def leave_Newline(self, original_node: cst.Newline, updated_node: cst.Newline) -> cst.Newline:
        return updated_node.with_changes(value=updated_node.value or self.module.default_newline)


def _with(node: Node, **changes: object) -> Node:
    """The node with these children; the same node if none of them is new."""
    fresh = {name: child for name, child in changes.items() if not _same(getattr(node, name), child)}
    return node.with_changes(**fresh) if fresh else node


def _same(old: object, new: object) -> bool:
    if isinstance(old, Sequence) and isinstance(new, Sequence):
        return all(a is b for a, b in zip(old, new, strict=True))
    return old is new


def _leading(statement: Statement) -> Sequence[cst.EmptyLine]:
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    return lines


def _below(comments: list[cst.EmptyLine], statement: Statement) -> Statement:
    """The statement with the comments above a removed one."""
    return statement.with_changes(leading_lines=[*comments, *_leading(statement)]) if comments else statement


def _last_forward(body: Sequence[Statement]) -> Statement | None:
    forwards = [s for s in body if isinstance(s, cst.FunctionDef) and s.name.value == "forward"]
    return forwards[-1] if forwards else None


def _is_owned(statement: Statement) -> bool:
    if not isinstance(statement, cst.If | cst.FunctionDef):
        return False
    calls = statement.body.body if isinstance(statement, cst.If) else [statement]
    if not all(isinstance(call, cst.FunctionDef) and call.name.value == "__call__" for call in calls):
        return False
    if isinstance(statement, cst.If) and statement.orelse is not None:
        return False
    body = statement.body
    end = body.header if isinstance(body, cst.IndentedBlock) else getattr(body, "trailing_whitespace", None)
    return end is not None and end.comment is not None and MARKER in end.comment.value
