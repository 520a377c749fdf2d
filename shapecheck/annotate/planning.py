"""Decides what to write in one file: for each function, the types of its parameters and of its result."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from shapecheck.annotate.combining import combined
from shapecheck.annotate.existing import contradicts, refinements
from shapecheck.annotate.iterators import returns_iterator
from shapecheck.annotate.model import AnnotateOptions, Doubt, FunctionKey, Signatures, Skipped, Written
from shapecheck.annotate.naming import AxisNames
from shapecheck.annotate.overriding import BaseClasses, admits
from shapecheck.annotate.spelling import Spelling
from shapecheck.annotate.writing import TypeWriter, holds_tensor, is_informative
from shapecheck.fix.optional import none_by_default
from shapecheck.fix.signature import Edit
from shapecheck.project.own_scope import in_own_scope
from shapecheck.project.source import SourceFile
from shapecheck.static.observing.signature_facts import CallFacts, Kind, ShapeFacts, ValueFacts

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_MOST_PARAMETERS = 40
_FORWARD = "forward"
"""The method whose callers get what `nn.Module.__call__` returns, which is of any type."""
_SCRIPTED = frozenset(("torch.jit.script", "jit.script", "script", "torch.jit.export", "overload", "typing.overload"))


@dataclass
class FunctionPlan:
    """What changes in one signature."""

    key: FunctionKey
    node: FunctionNode
    edits: list[Edit] = field(default_factory=list)
    """Between the parentheses."""
    returns: str | None = None
    """The new type of the result."""
    written: list[Written] = field(default_factory=list)


@dataclass
class FilePlan:
    """What changes in one file."""

    functions: list[FunctionPlan] = field(default_factory=list)
    missing: dict[str, set[str]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)


def functions_of(tree: ast.Module) -> dict[FunctionNode, str]:
    """The functions of a file with their qualified names, except those inside of functions."""
    return dict(_functions(tree.body, ""))


def _functions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[FunctionNode, str]]:
    for one in body:
        if isinstance(one, ast.ClassDef):
            yield from _functions(one.body, f"{prefix}{one.name}.")
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield one, f"{prefix}{one.name}"
        elif isinstance(one, (ast.If, ast.Try)):
            for name in ("body", "orelse", "finalbody"):
                yield from _functions(getattr(one, name, []), prefix)


def plan_file(
    source: SourceFile,
    tree: ast.Module,
    signatures: Signatures,
    options: AnnotateOptions,
    doubted: Mapping[FunctionKey, Doubt] = MappingProxyType({}),
) -> FilePlan:
    """What to write in a file; `doubted` are the functions whose annotations a check contradicts."""
    plan = FilePlan()
    spelling, bases = Spelling(tree), BaseClasses(tree)
    for node, name in functions_of(tree).items():
        key = FunctionKey(source.display, name, node.lineno)
        if not options.wants(source.path, name) or key not in signatures or doubted.get(key) is Doubt.ALL:
            continue
        why = _reason_to_skip(node)
        if why:
            plan.skipped.append(Skipped(key, why))
            continue
        doubt = doubted.get(key)
        facts = combined(signatures[key], trusts_callers=doubt is not Doubt.CALLERS)
        facts = _as_declared(node, facts, bases.declared(name), spelling)
        wrong = _contradicted(node, facts, spelling)
        if wrong:
            plan.skipped.append(Skipped(key, wrong))
            continue
        planner = _Planner(source, node, key, facts, spelling, options, names_all=doubt is None)
        made = planner.plan() if options.broadcasts or not planner.has_broadcast else FunctionPlan(key, node)
        if made.edits or made.returns is not None:
            plan.functions.append(made)
    plan.missing = _needed(plan, spelling)
    return plan


def _reason_to_skip(node: FunctionNode) -> str:
    if any(ast.unparse(one) in _SCRIPTED for one in node.decorator_list):
        return "a decorator that reads annotations"
    spec = node.args
    if len(spec.posonlyargs) + len(spec.args) + len(spec.kwonlyargs) > _MOST_PARAMETERS:
        return f"more than {_MOST_PARAMETERS} parameters"
    return ""


def _contradicted(node: FunctionNode, facts: CallFacts, spelling: Spelling) -> str:
    """Why the annotations of a function are wrong; the runtime checks all annotations of a function with axes."""
    for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        value = facts.arguments.get(one.arg)
        if value is not None and one.annotation is not None and contradicts(one.annotation, value, spelling.is_tensor):
            return f"{one.arg} is a {value.kind.value}, but annotated {ast.unparse(one.annotation)}"
    if node.returns is not None and contradicts(node.returns, facts.result, spelling.is_tensor):
        return f"the result is a {facts.result.kind.value}, but annotated {ast.unparse(node.returns)}"
    return ""


def _as_declared(
    node: FunctionNode, facts: CallFacts, declared: Mapping[str, ast.expr], spelling: Spelling
) -> CallFacts:
    """The facts without those of unannotated parameters and results that an overridden method declares otherwise."""
    if not declared:
        return facts
    own = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg) and one.annotation is not None}

    def admitted(name: str, value: ValueFacts, *, is_annotated: bool) -> ValueFacts:
        is_fine = is_annotated or name not in declared or admits(declared[name], value, spelling.is_tensor)
        return value if is_fine else ValueFacts()

    arguments = {name: admitted(name, one, is_annotated=name in own) for name, one in facts.arguments.items()}
    return CallFacts(arguments, admitted("return", facts.result, is_annotated=node.returns is not None))


def _needed(plan: FilePlan, spelling: Spelling) -> dict[str, set[str]]:
    return {} if not plan.functions else spelling.missing


class _Planner:
    """Plans one signature."""

    def __init__(  # noqa: PLR0913, PLR0917 - what a signature depends on
        self,
        source: SourceFile,
        node: FunctionNode,
        key: FunctionKey,
        facts: CallFacts,
        spelling: Spelling,
        options: AnnotateOptions,
        *,
        names_all: bool,
    ) -> None:
        self._source = source
        self._node = node
        self._facts = _with_optional(facts, node)
        self._spelling = spelling
        self._options = options
        first = next(iter(facts.arguments), "") if node.name in (_FORWARD, "__call__") else None
        self._names = AxisNames(self._facts, first=first, names_all=names_all)
        self._says_more = self._names.has_broadcast or any(
            map(is_informative, (*self._facts.arguments.values(), self._facts.result))
        )
        """Whether the signature has a shape or a dtype, so that a tensor of any shape is written as such."""
        self._plan = FunctionPlan(key, node)

    @property
    def has_broadcast(self) -> bool:
        """Whether the result is broadcast from arguments of any shape."""
        return self._names.has_broadcast

    def plan(self) -> FunctionPlan:
        """The edits of the signature. Every argument is written, in order, so that its sizes have names."""
        spec = self._node.args
        defaults = _defaults(spec)
        for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
            value = self._facts.arguments.get(one.arg)
            if value is not None:
                self._parameter(one, defaults.get(one.arg), value)
        self._result(self._facts.result)
        return self._plan

    def _parameter(self, node: ast.arg, default: ast.expr | None, value: ValueFacts) -> None:
        if not holds_tensor(value):
            return
        if node.annotation is not None:
            self._refine(node.annotation, value, node.arg)
            return
        text = self._type(value, node.arg)
        if text is None:
            return
        start = self._source.offset(node.end_lineno or 0, node.end_col_offset or 0)
        if default is None:
            self._plan.edits.append(Edit(start, start, f": {text}"))
        else:
            end = self._source.offset(default.lineno, default.col_offset)
            between = self._source.text[start:end]
            if between.strip() != "=":
                return
            self._plan.edits.append(Edit(start, end, f": {text} = "))
        self._note(node.arg, text)

    def _type(self, value: ValueFacts, place: str | None) -> str | None:
        """The text of a type; the imports that it needs are recorded only if it can be written."""
        spelling = self._spelling
        before = {module: set(names) for module, names in spelling.missing.items()}
        writer = TypeWriter(
            self._names,
            spelling.tensor,
            spelling.optional,
            spelling.any,
            spelling.union,
            spelling.of_jaxtyping,
            unions=place is None and self._node.name == _FORWARD,
            vague=self._says_more,
        )
        text = writer.type_of(value, place)
        if text is None:
            spelling.missing = before
        return text

    def _refine(self, annotation: ast.expr, value: ValueFacts, place: str | None) -> None:
        found = [] if self._options.keep else list(refinements(annotation, value, self._spelling.is_tensor))
        if not found and place is not None and value.shape is not None:
            self._seed(annotation, value.shape, place)
        for node, one in found:
            is_optional = one.is_optional and node is annotation and place is not None
            text = self._type(replace(one, is_optional=is_optional), place if one.shape is value.shape else None)
            if text is not None and node.end_lineno is not None and node.end_col_offset is not None:
                start = self._source.offset(node.lineno, node.col_offset)
                end = self._source.offset(node.end_lineno, node.end_col_offset)
                self._plan.edits.append(Edit(start, end, text))
                self._note("return" if place is None else place, text)

    def _seed(self, annotation: ast.expr, shape: ShapeFacts, place: str) -> None:
        """Takes over the names of an annotation that the author has written."""
        texts = [one.value for one in ast.walk(annotation) if isinstance(one, ast.Constant)]
        axes = texts[0].split() if len(texts) == 1 and isinstance(texts[0], str) else []
        if shape.tail is None and len(axes) == len(shape.head):
            for index, (axis, size) in enumerate(zip(axes, shape.head, strict=True)):
                if axis.isidentifier() and not axis.startswith("_"):
                    self._names.seed(size, axis, f"@{place}:{index}")

    def _result(self, value: ValueFacts) -> None:
        node = self._node
        if isinstance(node, ast.AsyncFunctionDef) or not holds_tensor(value) or _yields(node):
            return
        if _has_list(value) and returns_iterator(node):
            return
        if node.returns is None:
            text = self._type(value, None)
            if text is not None:
                self._plan.returns = text
                self._note("return", text)
            return
        before = len(self._plan.edits)
        self._refine(node.returns, value, None)
        edits, self._plan.edits[before:] = self._plan.edits[before:], []
        if edits:
            self._plan.returns = self._edited(node.returns, edits)

    def _edited(self, node: ast.expr, edits: list[Edit]) -> str:
        start = self._source.offset(node.lineno, node.col_offset)
        end = self._source.offset(node.end_lineno or 0, node.end_col_offset or 0)
        text = self._source.text[start:end]
        for edit in sorted(edits, key=lambda one: one.start, reverse=True):
            text = text[: edit.start - start] + edit.text + text[edit.end - start :]
        return text

    def _note(self, name: str, text: str) -> None:
        axes = text.replace('"', " ").replace("]", " ").split()
        reasons = tuple((axis, self._names.reasons[axis]) for axis in axes if axis in self._names.reasons)
        self._plan.written.append(Written(self._plan.key, name, text, reasons))


def _has_list(value: ValueFacts) -> bool:
    return value.kind is Kind.LIST or any(map(_has_list, value.items))


def _with_optional(facts: CallFacts, node: FunctionNode) -> CallFacts:
    """With None for the arguments that have it as their default."""
    optional = none_by_default(node.args)
    arguments = {
        name: replace(one, is_optional=one.is_optional or name in optional) for name, one in facts.arguments.items()
    }
    return CallFacts(arguments, facts.result)


def _defaults(spec: ast.arguments) -> dict[str, ast.expr]:
    positional = [*spec.posonlyargs, *spec.args]
    pairs = [*zip(positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=True)]
    pairs += [(one, default) for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default]
    return {one.arg: default for one, default in pairs}


def _yields(node: FunctionNode) -> bool:
    return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in in_own_scope(node))
