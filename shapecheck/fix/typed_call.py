"""Adds a typed `__call__` to a module class, from `forward`.

nn.Module declares `__call__: Callable[..., Any]`, so `model(x)` has type Any and wrong arguments pass. A class with

    def forward(self, x: Tensor) -> Tensor:
        return self.fc(x)

gets, only for type checkers,

    if TYPE_CHECKING:  # shapecheck: from forward

        def __call__(self, x: Tensor) -> Tensor: ...

The marker identifies the block: it is updated when forward changes, and removed when forward is removed.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import Enum

from shapecheck.diagnostics.comments import ignores, is_generated
from shapecheck.fix.call_block import CallBlock, build_block
from shapecheck.fix.decorators import is_named, keeps_signature, name_of
from shapecheck.fix.generated_calls import generated_nodes, has_handwritten_call, text_of
from shapecheck.fix.model import FixOptions
from shapecheck.fix.pragmas import is_type
from shapecheck.fix.signature import comments
from shapecheck.project.resolve import NameResolver
from shapecheck.project.scope import Class, Function, FunctionNode

CODE = "untyped-call"
UNRESOLVED = "a base class cannot be resolved"
_OVERLOAD = frozenset({"overload"})


class ForwardKind(Enum):
    """What type checkers see when a class is called."""

    NONE = "no __call__"
    TYPED = "a __call__ with forward's types"
    ANY = "a __call__ that accepts and returns Any"
    HAND = "hand-written __call__"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a class should have, and a short reason."""

    kind: ForwardKind
    reason: str
    forwards: tuple[FunctionNode, ...] = ()
    """The overloads of forward, if any, and its definition."""


@dataclass(frozen=True, slots=True)
class CallPlan:
    """The planned change of one class."""

    cls: Class
    action: str
    """ "added", "updated", "removed", "up to date", or the reason for no action."""
    block: CallBlock | None = None
    kind: ForwardKind = ForwardKind.NONE

    @property
    def changes(self) -> bool:
        """Whether the file has to be rewritten."""
        return self.action in {"added", "updated", "removed"}


@dataclass(slots=True)
class TypedCalls:
    """Plans the typed `__call__`s of classes; caches what it found about their ancestors."""

    project: NameResolver
    options: FixOptions
    _kinds: dict[tuple[str, int], ForwardKind] = field(default_factory=dict)

    def plan(self, cls: Class) -> CallPlan | None:
        """The plan for one class; None if it is not a module or has no forward."""
        is_module = self.project.is_module(cls)
        owned = generated_nodes(cls)
        forwards = cls.body.names.get("forward", ())
        if not forwards and not owned:
            return None
        if is_module is None:
            method = any(isinstance(f, Function) and _is_annotated_method(f.node, cls) for f in forwards)
            return CallPlan(cls, UNRESOLVED) if method else None
        verdict = self._verdict(cls, owned) if is_module else Verdict(ForwardKind.NONE, "not a module")
        if verdict.reason == "ignored by comment":
            return CallPlan(cls, verdict.reason)
        if verdict.kind in {ForwardKind.NONE, ForwardKind.HAND}:
            return self._without(cls, owned, verdict, bool(is_module))
        return self._with(cls, owned, verdict)

    def _without(self, cls: Class, owned: list[ast.stmt], verdict: Verdict, is_module: bool) -> CallPlan | None:
        if owned:
            return CallPlan(cls, "removed")
        return CallPlan(cls, verdict.reason) if is_module else None

    def _with(self, cls: Class, owned: list[ast.stmt], verdict: Verdict) -> CallPlan:
        block = build_block(cls, verdict.forwards, self.options, overrides=self._has_call_above(cls))
        if block is None:
            return CallPlan(cls, "the signature of forward cannot be parsed")
        if not owned:
            return CallPlan(cls, "added", block, verdict.kind)
        same = text_of(owned, cls.file.source) == block.lines
        return CallPlan(cls, "up to date" if same and not block.missing else "updated", block, verdict.kind)

    # -- what a class should have

    def _verdict(self, cls: Class, owned: list[ast.stmt]) -> Verdict:
        if has_handwritten_call(cls, owned):
            return Verdict(ForwardKind.HAND, "hand-written __call__")
        forwards, problem = _forwards(cls)
        if not forwards and not problem:
            return Verdict(ForwardKind.NONE, "no forward")
        if self._is_ignored(cls, forwards):
            return Verdict(ForwardKind.TYPED if owned else ForwardKind.NONE, "ignored by comment")
        problem = problem or self._unknown_decorator(cls, forwards)
        if not problem and (self.options.untyped or any(_is_annotated(f, cls) for f in forwards)):
            return Verdict(ForwardKind.TYPED, "", tuple(forwards))
        if self._misled(cls):
            return Verdict(ForwardKind.ANY, "")
        return Verdict(ForwardKind.NONE, problem or "forward is unannotated")

    def _is_ignored(self, cls: Class, forwards: list[FunctionNode]) -> bool:
        lines = cls.file.source.lines
        return any(ignores(lines[line - 1], CODE) for line in [cls.line, *(f.lineno for f in forwards)])

    def _unknown_decorator(self, cls: Class, forwards: list[FunctionNode]) -> str:
        for forward in forwards:
            for decorator in forward.decorator_list:
                if not keeps_signature(decorator, cls.body, self.project, self.options.decorators):
                    return f"@{name_of(decorator)} may change the signature"
        return ""

    # -- what it inherits

    def _misled(self, cls: Class) -> bool:
        """Whether the nearest inherited `__call__` was generated from the forward of another class."""
        kinds = (self.kind(ancestor) for ancestor in self.project.ancestors(cls))
        return next((kind for kind in kinds if kind is not ForwardKind.NONE), ForwardKind.NONE) is ForwardKind.TYPED

    def _has_call_above(self, cls: Class) -> bool:
        return any(self.kind(ancestor) is not ForwardKind.NONE for ancestor in self.project.ancestors(cls))

    def kind(self, cls: Class) -> ForwardKind:
        """What a class will have at the end of the run, independent of the order of files."""
        key = (str(cls.file.source.path), cls.line)
        if key not in self._kinds:
            self._kinds[key] = ForwardKind.NONE
            self._kinds[key] = self._kind(cls)
        return self._kinds[key]

    def _kind(self, cls: Class) -> ForwardKind:
        owned = generated_nodes(cls)
        if self._is_ours(cls):
            return self._verdict(cls, owned).kind if self.project.is_module(cls) else ForwardKind.NONE
        if has_handwritten_call(cls, owned):
            return ForwardKind.HAND
        return _written_kind(owned, cls) if owned else ForwardKind.NONE

    def _is_ours(self, cls: Class) -> bool:
        source = cls.file.source
        if source.path not in self.project.files:
            return False
        return self.options.generated or not is_generated(source.text)


def _forwards(cls: Class) -> tuple[list[FunctionNode], str]:
    """The overloads of forward and its definition; or the reason why they cannot be used."""
    bindings = cls.body.names.get("forward", [])
    if not bindings:
        return [], ""
    direct = {id(node) for node in cls.node.body}
    nodes = [binding.node for binding in bindings if isinstance(binding, Function)]
    if len(nodes) < len(bindings):
        return [], "forward is an assignment"
    if any(id(node) not in direct for node in nodes):
        return [], "forward is defined conditionally"
    last = nodes.pop()
    overloads: list[FunctionNode] = []
    while nodes and _is_overload(nodes[-1]):
        overloads.insert(0, nodes.pop())
    return [*overloads, last], ""


def _is_overload(node: FunctionNode) -> bool:
    return any(is_named(decorator, _OVERLOAD) for decorator in node.decorator_list)


def _is_annotated(node: FunctionNode, cls: Class) -> bool:
    """Whether any parameter or the return has a type, in an annotation or a type comment."""
    arguments = node.args
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    if node.returns is not None or any(argument is not None and argument.annotation is not None for argument in every):
        return True
    head = cls.file.source.lines[node.lineno - 1 : node.body[0].lineno - 1]
    return any(map(is_type, comments("".join(head))))


def _is_annotated_method(node: FunctionNode, cls: Class) -> bool:
    first = next(iter([*node.args.posonlyargs, *node.args.args]), None)
    return first is not None and first.arg == "self" and _is_annotated(node, cls)


def _written_kind(owned: list[ast.stmt], cls: Class) -> ForwardKind:
    text = "".join(text_of(owned, cls.file.source))
    return ForwardKind.ANY if "*args: Any, **kwargs: Any) -> Any:" in text else ForwardKind.TYPED
