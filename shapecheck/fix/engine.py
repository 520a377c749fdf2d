"""Fixes one file: plans with `ast` and, if something changes, rewrites with LibCST."""

from __future__ import annotations

import ast
from dataclasses import replace

from shapecheck.diagnostics import CODES, Diagnostic, Severity
from shapecheck.diagnostics.comments import is_generated
from shapecheck.fix import direct_forward, typed_call
from shapecheck.fix.direct_forward import Advice, DirectCall, direct_calls
from shapecheck.fix.model import FileResult, FixOptions, FixStatus
from shapecheck.fix.splice import splice
from shapecheck.fix.typed_call import CallPlan, TypedCalls
from shapecheck.project.parsing import CANNOT_PARSE, syntax_error
from shapecheck.project.resolve import NameResolver
from shapecheck.project.scope import Class, File
from shapecheck.project.source import SourceFile

_ACTIONS = {
    "added": "calling {name} returns Any; add a typed __call__ from forward",
    "updated": "the __call__ of {name} does not match its forward; update it",
    "removed": "the __call__ of {name} has no typed forward; remove it",
}
_UNSAFE_DECORATOR = (
    "calls of {name} are checked against the forward of its base class; add a __call__ that accepts and returns Any"
)
_HAND_WRITTEN = "{name} already has a hand-written __call__"

_ADVICE = {
    Advice.REWRITE: "{receiver}.forward() skips hooks; call {receiver}()",
    Advice.BY_HAND: "{receiver}.forward() skips the hand-written __call__ of the module; call {receiver}()",
    Advice.UNSURE: "if {receiver} is a module, {receiver}.forward() skips hooks; call {receiver}()",
}


def fix_source(source: SourceFile, project: NameResolver, options: FixOptions) -> FileResult:
    """Fix one source in memory. If something changes, the result contains the new text; nothing is written."""
    result = FileResult(source.display)
    if not options.generated and is_generated(source.text):
        return replace(result, outcome=FixStatus.SKIPPED, reason="generated")
    project.trim()
    try:
        file = project.add(source)
    except CANNOT_PARSE as error:
        return _failed(result, error, "cannot parse")
    try:
        result.new_text = _fixed(file, project, options, result)
    except (SyntaxError, RecursionError, MemoryError) as error:
        return _failed(FileResult(source.display), error, "cannot rewrite")
    if result.new_text is not None:
        result.outcome = FixStatus.CHANGED
    return result


def _fixed(file: File, project: NameResolver, options: FixOptions, result: FileResult) -> str | None:
    source = file.source
    calls = _plan_calls(file, project, result) if direct_forward.CODE in options.select else []
    plans = _plan_classes(file, project, options, result) if typed_call.CODE in options.select else []
    if calls:
        text = splice(source, calls, options.width)
        if not plans:
            return text
        file = project.add(replace(source, text=text))
        plans = _plan_classes(file, project, options, FileResult(source.display))
    if not plans:
        return None
    from shapecheck.fix.apply import apply  # LibCST takes a tenth of a second to import  # noqa: PLC0415

    return apply(file, plans, options)


# -- planning


def _plan_classes(file: File, project: NameResolver, options: FixOptions, result: FileResult) -> list[CallPlan]:
    planner = TypedCalls(project, options)
    plans = [plan for cls in file.classes if (plan := planner.plan(cls)) is not None]
    for plan in plans:
        result.tally[plan.action] += 1
        result.classes += plan.action != typed_call.UNRESOLVED
        if plan.changes:
            result.fixed.append(_at_class(plan.cls, _message(plan), CODES[typed_call.CODE].severity))
        elif plan.action == typed_call.ForwardKind.HAND.value:
            result.left.append(_at_class(plan.cls, _HAND_WRITTEN.format(name=plan.cls.qualname), Severity.NOTE))
    return [plan for plan in plans if plan.changes]


def _message(plan: CallPlan) -> str:
    misled = plan.action == "added" and plan.kind is typed_call.ForwardKind.ANY
    return (_UNSAFE_DECORATOR if misled else _ACTIONS[plan.action]).format(name=plan.cls.qualname)


def _plan_calls(file: File, project: NameResolver, result: FileResult) -> list[DirectCall]:
    if not direct_forward.CALL.search(file.source.text):
        return []
    calls = direct_calls(file, project)
    for call in calls:
        severity = Severity.NOTE if call.advice is Advice.UNSURE else CODES[direct_forward.CODE].severity
        message = _ADVICE[call.advice].format(receiver=call.receiver)
        found = _diagnostic(file.source, call.node, direct_forward.CODE, severity, message)
        (result.fixed if call.advice is Advice.REWRITE else result.left).append(found)
    return [call for call in calls if call.advice is Advice.REWRITE]


def _at_class(cls: Class, message: str, severity: Severity) -> Diagnostic:
    source = cls.file.source
    column = source.column(cls.line, cls.node.col_offset) + 1
    end = column + len("class ") + len(cls.node.name)
    return Diagnostic(source.display, cls.line, column, cls.line, end, typed_call.CODE, severity, message)


def _diagnostic(source: SourceFile, node: ast.expr, code: str, severity: Severity, message: str) -> Diagnostic:
    column = source.column(node.lineno, node.col_offset) + 1
    end_line = node.end_lineno or node.lineno
    end_column = source.column(end_line, node.end_col_offset or node.col_offset) + 1
    return Diagnostic(source.display, node.lineno, column, end_line, end_column, code, severity, message)


# -- failing


def _failed(result: FileResult, error: Exception, what: str) -> FileResult:
    failure = syntax_error(result.path, error, what)
    return replace(result, outcome=FixStatus.FAILED, reason=failure.message, left=[failure])
