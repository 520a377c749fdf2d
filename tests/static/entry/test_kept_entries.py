from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shapecheck.static.engine.edited_trees import splice
from shapecheck.static.entry import entry_runs
from shapecheck.static.entry.checker import Checker
from shapecheck.static.entry.kept_entries import KeptEntries

OLD = """\
import torch


def first():
    return torch.zeros(2, 3) @ torch.zeros(4, 5)


def second():
    return helper()


def helper():
    return torch.zeros(2)
"""


def trees(new: str) -> tuple[ast.Module, ast.Module]:
    return ast.parse(OLD), ast.parse(new)


def named(nodes: frozenset[ast.stmt]) -> set[str]:
    return {getattr(one, "name", "") for one in nodes} - {""}


def test_unchanged_statements_are_the_same_nodes_at_their_new_lines() -> None:
    new = "# a comment\n\n" + OLD.replace("torch.zeros(2)", "torch.ones(2)")
    before, after = trees(new)
    kept = before.body[1]
    change = splice(before, after, OLD.splitlines(keepends=True), new.splitlines(keepends=True))
    assert after.body[1] is kept
    assert kept.lineno == 6
    assert ast.dump(after, include_attributes=True) == ast.dump(ast.parse(new), include_attributes=True)
    assert named(change.same) == {"first", "second"}


def test_what_mentions_a_changed_name_is_affected() -> None:
    new = OLD.replace("torch.zeros(2)", "torch.ones(2)")
    change = splice(*trees(new), OLD.splitlines(keepends=True), new.splitlines(keepends=True))
    assert named(change.affected) == {"second"}
    assert change.is_limited


def test_a_statement_that_does_more_than_bind_names_is_not_limited() -> None:
    new = OLD + "print(helper())\n"
    assert not splice(*trees(new), OLD.splitlines(keepends=True), new.splitlines(keepends=True)).is_limited


def test_a_kept_entry_has_its_findings_at_the_present_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.py"
    file.write_text(OLD)
    checker = Checker([file], [tmp_path])
    kept = checker.session.kept_entries = KeptEntries()
    before = checker.outcome(file, {str(file)}).diagnostics
    assert [one.line for one in before] == [5]
    module = checker.project.forget(file)
    assert module is not None
    checker.session.forget(module)
    new = "# a comment\n" + OLD
    checker.project.replaced[str(file)] = new.encode()
    loaded = checker.project.load(file)
    assert loaded is not None
    change = splice(module.tree, loaded.tree, module.source.lines, loaded.source.lines)
    kept.begin(change.same, change.affected, str(file), lambda line: line + 1)
    ran: list[ast.AST] = []
    original = entry_runs.run_once
    monkeypatch.setattr(entry_runs, "run_once", lambda *given, **more: ran.append(given[2]) or original(*given, **more))
    after = checker.outcome(file, {str(file)}).diagnostics
    assert [(one.line, one.message) for one in after] == [(one.line + 1, one.message) for one in before]
    assert {getattr(one, "name", "module") for one in ran} == {"module"}
