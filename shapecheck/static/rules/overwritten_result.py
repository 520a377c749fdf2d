"""`o = layer(o)` and then `o = x.transpose(1, 2)`: the first result is overwritten before anything reads it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial
from typing import Final

from shapecheck.diagnostics import Note
from shapecheck.ops import ModuleSpec, Trait, names_with
from shapecheck.project.liveness import assigned_again
from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.callee_names import is_of_self, last_name
from shapecheck.static.domain.function_writes import function_writes
from shapecheck.static.domain.objects import FunctionValue, Instance, ListValue, ModuleContainer
from shapecheck.static.engine.hooks import assigned
from shapecheck.static.engine.places import note_at, text_of
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.reevaluation import reevaluate
from shapecheck.static.rules._run_for_effect import is_run_for_effect

_CODE: Final = "discarded-result"
_MOVES: Final = frozenset(
    """
    to cpu cuda float double half bfloat16 long int bool type type_as contiguous clone detach copy deepcopy
    zeros_like ones_like full_like empty_like rand_like randn_like randint_like Parameter
    """.split()
)
"""What copies values or begins with new ones: a value that is prepared, and then not needed."""
_UNNAMED: Final = ("_", "dummy", "unused", "ignore", "warm")


@assigned(_CODE, "=")
def never_read(run: Run, node: ast.AST, value: Value) -> None:
    """Reports an assignment of a tensor that an operator or a layer computes."""
    function = run.frame.function
    if not isinstance(node, ast.Assign) or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    if not isinstance(node.value, ast.Call) or not _tensors_in(value):
        return
    again = assigned_again(function).get(node)
    if again is None or ast.dump(again.value) == ast.dump(node.value):  # a line that occurs twice
        return
    names = [one.id for target in node.targets for one in walk(target) if isinstance(one, ast.Name)]
    named = [one for one in names if not one.lower().startswith(_UNNAMED)]
    if named and _is_computed(run, node.value, value) and not is_run_for_effect(run, node.value):
        message = f"the result of {_name(node.value.func)} is not used: {named[0]} is assigned again before it is read"
        run.report(_CODE, node.value, message, partial(_notes, run, again, named[0]))


def _notes(run: Run, again: ast.Assign, name: str) -> Sequence[Note]:
    return [note_at(run.loaded, again, f"{name} is assigned again here")]


def _name(callee: ast.expr) -> str:
    """`expand` of a method, `self.linear` of a layer."""
    return (text_of(callee) if is_of_self(callee) else last_name(callee)) or "the call"


def _tensors_in(value: Value) -> list[TensorSpec]:
    """The tensors of a result; none if it has another value too."""
    items = value.items if isinstance(value, ListValue) and not value.lost else value
    items = items if isinstance(items, tuple) else (items,)
    if all(isinstance(one, (TensorSpec, tuple)) and mark_of(one) is None for one in items):
        return [one for one in items if isinstance(one, TensorSpec)]
    return []


def _is_computed(run: Run, node: ast.Call, value: Value) -> bool:
    """Whether a call only computes its result: an operator of tensors, a layer, or a module that writes nothing."""
    called = reevaluate(run, node.func, run.frame.scope) if isinstance(node.func, (ast.Name, ast.Attribute)) else None
    if isinstance(called, Instance):
        forward = called.cls.lookup("forward")
        return isinstance(forward, FunctionValue) and not function_writes(forward.node).attributes
    if isinstance(called, (ModuleSpec, ModuleContainer)):
        return True
    name = last_name(node.func)
    if name in _MOVES or name.endswith("_") or name in names_with(Trait.NEW_ON_DEFAULT_DEVICE):
        return False
    if not run.origins.noted:
        return True
    of_tensors = names_with(Trait.KEEPS_AXES) | names_with(Trait.TENSOR_FIRST)
    if name in of_tensors and isinstance(_receiver(run, node), TensorSpec):
        return True  # of unknown rank, the result is the operand, whose origin is another one
    made = [run.origins.of_tensor(one) for one in _tensors_in(value)]
    return any(one is not None and one.node is node and _has_tensors(one.args) for one in made)


def _receiver(run: Run, node: ast.Call) -> Value:
    place = node.func.value if isinstance(node.func, ast.Attribute) else None
    return reevaluate(run, place, run.frame.scope) if isinstance(place, (ast.Name, ast.Attribute)) else None


def _has_tensors(args: Sequence[Value]) -> bool:
    """Whether an argument is a tensor, or a list of tensors."""
    return any(
        isinstance(one, TensorSpec) or (isinstance(one, (tuple, ListValue)) and _tensors_in(one)) for one in args
    )
