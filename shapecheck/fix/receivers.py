"""Whether the receiver of a method call is certainly an nn.Module with nn.Module's own `__call__`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from shapecheck.fix.generated_calls import generated_nodes, has_handwritten_call
from shapecheck.project.resolve import ExternalName, Meaning, NameResolver
from shapecheck.project.scope import (
    AssignedName,
    Binding,
    Class,
    Function,
    FunctionNode,
    ImportedName,
    NameScope,
    bind_statement,
    blocks,
    function_scope,
)

_SAME_OBJECT = frozenset(
    {
        "apply", "bfloat16", "cpu", "cuda", "double", "eval", "float", "half", "requires_grad_", "share_memory", "to",
        "to_empty", "train", "type", "xpu",
    }
)  # fmt: skip
"""Methods of nn.Module that return the module."""

_ENTRIES = ("forward", "__call__")


class Certainty(Enum):
    """What a receiver is known to be."""

    MODULE = "an nn.Module, called the usual way"
    SPECIAL = "an nn.Module with its own __call__"
    NO = "not a module, or an intended call of forward"
    UNKNOWN = "unknown"
    SAME = "the name that is being resolved"


@dataclass(slots=True)
class Receivers:
    """Classifies receivers from constructors, annotations and `self`."""

    project: NameResolver
    rebound: frozenset[str]
    """Names that may be bound to anything."""
    _open: set[tuple[int, str]] = field(default_factory=set)

    def scope_of(self, node: FunctionNode, scope: NameScope) -> NameScope:
        """The scope of a function with all names that its own statements bind."""
        inner = function_scope(node, scope)
        _bind_all(node.body, inner)
        return inner

    def judge(self, node: ast.expr, scope: NameScope, cls: Class | None, method: FunctionNode | None) -> Certainty:
        """What an expression in a scope, inside a method of a class, is known to be."""
        if isinstance(node, ast.Name):
            if cls is not None and method is not None and node.id == _first_parameter(method):
                return self._first(node.id, scope, cls, method)
            return self._name(node.id, scope, cls, method)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, scope, cls, method)
        if isinstance(node, ast.Call):
            return self._call(node, scope, cls, method)
        if isinstance(node, ast.IfExp):
            return _all(self.judge(branch, scope, cls, method) for branch in (node.body, node.orelse))
        return Certainty.UNKNOWN

    # -- kinds of receiver

    def _first(self, name: str, scope: NameScope, cls: Class, method: FunctionNode) -> Certainty:
        """The first parameter of a method."""
        if _is_decorated(method, "classmethod"):
            return Certainty.NO
        bindings = next((level.names[name] for level in scope.chain() if name in level.names), [])
        return self._self(cls, method) if len(bindings) == 1 else Certainty.UNKNOWN

    def _self(self, cls: Class, method: FunctionNode) -> Certainty:
        is_module = self.project.is_module(cls)
        if is_module is None:
            return Certainty.UNKNOWN
        if not is_module or method.name in self._reached(cls):
            return Certainty.NO
        return self._class(cls)

    def _name(self, name: str, scope: NameScope, cls: Class | None, method: FunctionNode | None) -> Certainty:
        level = next((level for level in scope.chain() if name in level.names), None)
        if level is None or name in self.rebound:
            return Certainty.UNKNOWN
        key = (id(level), name)
        if key in self._open:
            return Certainty.SAME
        self._open.add(key)
        found = _all(self._bound(binding, level, cls, method) for binding in level.names[name])
        self._open.discard(key)
        return found

    def _bound(self, binding: Binding, scope: NameScope, cls: Class | None, method: FunctionNode | None) -> Certainty:
        if isinstance(binding, AssignedName):
            if binding.annotation is not None:
                return self._annotated(binding.annotation, scope)
            if binding.value is not None and not isinstance(binding.value, ast.Name):
                return self.judge(binding.value, scope, cls, method)
        if isinstance(binding, (Class, Function)):
            return Certainty.NO
        if isinstance(binding, ImportedName):
            return self._imported(binding, scope)
        return Certainty.UNKNOWN

    def _imported(self, binding: ImportedName, scope: NameScope) -> Certainty:
        """Whether it is a class or a Python module, whose `forward` is called unbound intentionally."""
        meanings = self.project.meanings(ast.Name(binding.name or binding.module, ast.Load()), scope)
        known = all(isinstance(meaning, (Class, ExternalName)) for meaning in meanings)
        return Certainty.NO if meanings and known else Certainty.UNKNOWN

    def _attribute(
        self, node: ast.Attribute, scope: NameScope, cls: Class | None, method: FunctionNode | None
    ) -> Certainty:
        owner = node.value
        if node.attr == "__class__":
            return Certainty.NO
        if cls is None or method is None or not isinstance(owner, ast.Name) or owner.id != _first_parameter(method):
            return self._dotted_class(node, scope)
        if not self.project.is_module(cls):
            return Certainty.UNKNOWN
        values = _attribute_values(cls, node.attr)
        inherited = any(_attribute_values(ancestor, node.attr) for ancestor in self._ancestors(cls))
        if not values or inherited:
            return Certainty.UNKNOWN
        return _all(self._value(value, cls) for value in values)

    def _value(self, value: ast.expr | None, cls: Class) -> Certainty:
        return self._call(value, cls.body, None, None) if isinstance(value, ast.Call) else Certainty.UNKNOWN

    def _dotted_class(self, node: ast.Attribute, scope: NameScope) -> Certainty:
        """`package.Net.forward(self, x)` is the unbound method."""
        meanings = self.project.meanings(node, scope)
        return Certainty.NO if meanings and all(_is_class(meaning) for meaning in meanings) else Certainty.UNKNOWN

    def _call(self, node: ast.Call, scope: NameScope, cls: Class | None, method: FunctionNode | None) -> Certainty:
        """A constructor, or a method that returns the module it is called on."""
        function = node.func
        if isinstance(function, ast.Name) and function.id == "type":
            return Certainty.NO
        if isinstance(function, ast.Attribute) and function.attr in _SAME_OBJECT:
            return self.judge(function.value, scope, cls, method)
        return _all(self._constructed(meaning) for meaning in self.project.meanings(function, scope))

    def _constructed(self, meaning: Meaning) -> Certainty:
        if isinstance(meaning, Class):
            return self._class(meaning)
        return Certainty.MODULE if self.project.means_module(meaning) else Certainty.UNKNOWN

    def _annotated(self, annotation: ast.expr, scope: NameScope) -> Certainty:
        return _all(self._constructed(meaning) for meaning in self.project.meanings(annotation, scope))

    def _reached(self, cls: Class) -> set[str]:
        """The methods that forward and `__call__` reach on the same object, themselves included.

        The methods may be inherited, or defined in a subclass in this file.
        """
        family = [cls, *self._ancestors(cls), *self._descendants(cls)]
        bodies: dict[str, list[FunctionNode]] = {}
        for relative in family:
            for node in relative.node.body:
                if isinstance(node, FunctionNode):
                    bodies.setdefault(node.name, []).append(node)
        waiting, reached = list(_ENTRIES), set(_ENTRIES)
        while waiting:
            found = [
                n.attr for body in bodies.get(waiting.pop(), ()) for n in ast.walk(body) if isinstance(n, ast.Attribute)
            ]
            fresh = set(found) & bodies.keys() - reached
            reached |= fresh
            waiting.extend(fresh)
        return reached

    def _ancestors(self, cls: Class) -> list[Class]:
        return [self.project.in_full(ancestor) for ancestor in list(self.project.ancestors(cls))]

    def _descendants(self, cls: Class) -> list[Class]:
        return [other for other in cls.file.classes if any(base is cls for base in self.project.ancestors(other))]

    def _class(self, cls: Class) -> Certainty:
        is_module = self.project.is_module(cls)
        if is_module is None:
            return Certainty.UNKNOWN
        if not is_module:
            return Certainty.NO
        line = [cls, *self.project.ancestors(cls)]
        return Certainty.SPECIAL if any(has_handwritten_call(c, generated_nodes(c)) for c in line) else Certainty.MODULE


def _all(answers: Iterable[Certainty]) -> Certainty:
    """The common answer; UNKNOWN if the answers differ or there is none."""
    given = set(answers)
    if len(given) > 1:
        given.discard(Certainty.SAME)
    return given.pop() if len(given) == 1 else Certainty.UNKNOWN


def _is_class(meaning: Meaning) -> bool:
    return isinstance(meaning, Class) or (
        isinstance(meaning, ExternalName) and meaning.dotted.rpartition(".")[2][:1].isupper()
    )


def _first_parameter(method: FunctionNode) -> str | None:
    if _is_decorated(method, "staticmethod"):
        return None
    first = next(iter([*method.args.posonlyargs, *method.args.args]), None)
    return first.arg if first else None


def _is_decorated(method: FunctionNode, name: str) -> bool:
    return any(isinstance(decorator, ast.Name) and decorator.id == name for decorator in method.decorator_list)


def _bind_all(body: Sequence[ast.stmt], scope: NameScope) -> None:
    for statement in body:
        if isinstance(statement, FunctionNode):
            scope.bind(statement.name, Function(statement, scope, statement.lineno))
        elif not isinstance(statement, ast.ClassDef):
            bind_statement(statement, scope)
            for block in blocks(statement):
                _bind_all(block, scope)


def _attribute_values(cls: Class, name: str) -> list[ast.expr | None]:
    """What is assigned to `self.<name>` anywhere in a class, or to `<name>` in its body."""
    values: list[ast.expr | None] = []
    for node in ast.walk(cls.node):
        if isinstance(node, ast.Assign):
            values += [node.value for target in node.targets for hit in _targets(target) if _is_self(hit, name)]
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and _is_self(node.target, name):
            values.append(node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor)) and any(_is_self(hit, name) for hit in _targets(node.target)):
            values.append(None)
    return values


def _targets(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [found for element in target.elts for found in _targets(element)]
    return [target]


def _is_self(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name)
