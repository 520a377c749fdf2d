"""Subscripts: `value[key]`."""

from __future__ import annotations

import ast
from functools import partial

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.spec.presentation import value_text
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import OpenShape
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.domain.enums import member_of
from shapecheck.static.domain.library_registry import LibraryRegistry
from shapecheck.static.domain.objects import ClassValue, Collection, DictValue, Instance, ListValue, ModuleContainer
from shapecheck.static.domain.placeholders import as_written
from shapecheck.static.domain.shape_variables import is_shape_expression, shape_variables
from shapecheck.static.domain.summary_collections import (
    element_at,
    element_in_state,
    is_summary,
    sequence_element,
    summary_layers,
    summary_list,
)
from shapecheck.static.domain.symbolic_argument import SymbolicArgument, part_of
from shapecheck.static.domain.unknown_options import item_of
from shapecheck.static.domain.unknown_tensors import item_of_unknown, may_be_list
from shapecheck.static.domain.values import SliceWindow, SummarySequence
from shapecheck.static.engine.call_refinement import refine_to_tensor
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.filled_lists import has_filled_list
from shapecheck.static.engine.iteration import items_in, named_items
from shapecheck.static.engine.library_registries import registered
from shapecheck.static.engine.run import Run
from shapecheck.static.engine.unknown_places import item_at_unknown_place
from shapecheck.static.models.numpy.operators import item
from shapecheck.static.models.python.dicts import is_key
from shapecheck.static.models.python.dicts import item as dict_item
from shapecheck.static.models.python.special_methods import call_special
from shapecheck.static.operators.wrong_kind import report_item
from shapecheck.static.provenance.causes import MOST_AXES, causes_of_rank


def subscript(run: Run, node: ast.AST, value: Value, key: Value) -> Value:
    """The item or slice of a tensor, a sequence, a dict or a container of layers."""
    key = as_written(key)
    if isinstance(value, SymbolicArgument) and _only_arrays_have(key):
        value = refine_to_tensor(run, value, array_like=True)
    if isinstance(value, Collection):
        return _of_collection(run, node, value, key)
    if isinstance(value, ArraySpec):
        return item(value, key)
    if isinstance(value, TensorSpec):
        return _of_tensor(run, node, value, key)
    if isinstance(value, (tuple, str)):
        return _of_sequence(run, node, value, key)
    if isinstance(value, Instance):
        return _of_object(run, node, value, key)
    if isinstance(value, ClassValue) and isinstance(key, str):
        return member_of(value, key) or Unknown("an item of a class")
    if isinstance(value, LibraryRegistry):
        return registered(run.session, value, key)
    wrong = report_item(run, node, value)
    return _of_open(run, value, key) if wrong is None else wrong


def _only_arrays_have(key: Value) -> bool:
    """Whether a key selects along several axes, such as `:, 0` or `..., None`: no sequence or dict has such an item."""
    if type(key) is tuple:
        return any(one is ... or isinstance(one, (slice, SliceWindow)) for one in key)
    return key is ...


def _of_tensor(run: Run, node: ast.AST, value: TensorSpec, key: Value) -> Value:
    if isinstance(node, ast.Subscript) and has_filled_list(run, node.slice, key):
        return Unknown("an index that other code fills")
    if isinstance(key, str) and value.rank is None:  # a batch of tokens, whose method `to` casts its tensors
        return Unknown("an item of what is no tensor")
    found = dispatch.torch_call(run, node, "__getitem__", (value, key), {})
    if isinstance(found, TensorSpec) and may_be_list(value, key):
        return run.knowledge.settled(item_of_unknown(value, key))
    return found


def _of_open(run: Run, value: Value, key: Value) -> Value:
    """An item of a sequence of unknown length, such as the shape of a tensor of unknown rank."""
    if isinstance(value, OpenShape):
        return run.knowledge.settled(value.part(key))
    is_slice = isinstance(key, (slice, SliceWindow))
    if isinstance(value, SummarySequence):
        return value if is_slice else sequence_element(value)
    part = part_of(value) if is_slice else None
    return Unknown("an item of an unknown value") if part is None else part


def _of_sequence(run: Run, node: ast.AST, value: tuple[Value, ...] | str, key: Value) -> Value:
    rank = len(value)
    if isinstance(value, tuple) and type(key) is int and not -rank <= key < rank and _is_shape(run, node):
        ranks = range(key + 1 if key >= 0 else -key, MOST_AXES + 1)
        causes = partial(causes_of_rank, run, node.value if isinstance(node, ast.Subscript) else None, ranks)
        message = f"index {value_text(key)} is out of range for shape {value_text(value)}"
        return run.report("shape-mismatch", node, message, causes=causes)
    if isinstance(value, tuple) and not isinstance(key, (slice, SliceWindow)) and type(key) is not int:
        return item_at_unknown_place(run, value)
    return _item(value, key)


def _of_collection(run: Run, node: ast.AST, value: Collection, key: Value) -> Value:
    if value.lost:
        return _of_summary(value, key)
    if isinstance(value, ListValue):
        if not isinstance(key, (slice, SliceWindow)) and type(key) is not int:
            return item_at_unknown_place(run, value.items)
        found = _item(value.items, key)
        return ListValue(found) if isinstance(key, slice) and isinstance(found, tuple) else found
    if isinstance(value, DictValue):
        found = dict_item(run, node, value, key)
        return found if is_key(key) else item_at_unknown_place(run, value.items.values())
    return _layer(value, key) if isinstance(value, ModuleContainer) else Unknown("an item of a set")


def _of_summary(value: Collection, key: Value) -> Value:
    """An item or slice of a summary collection."""
    if not is_summary(value):
        return item_of(value, "an item of an unknown collection")
    if isinstance(value, DictValue) or not isinstance(key, (slice, SliceWindow)):
        return element_at(value, key)
    return (summary_layers if isinstance(value, ModuleContainer) else summary_list)(element_in_state(value.fields))


def _of_object(run: Run, node: ast.AST, value: Instance, key: Value) -> Value:
    """A field of a NamedTuple, the result of `__getitem__`, or an item if the class is a dict."""
    fields, items = named_items(value), items_in(value)
    if fields is not None:
        return _item(tuple(fields), key)
    found = call_special(run, node, value, "__getitem__", key)
    if found is None:
        return Unknown("an item of an object") if items is None else subscript(run, node, items, key)
    return found


def _is_shape(run: Run, node: ast.AST) -> bool:
    """Whether the object of the subscript is `x.shape` or `x.size()`, or a variable that is always one of these."""
    holder = node.value if isinstance(node, ast.Subscript) else None
    if isinstance(holder, ast.Name):
        function = run.frame.function
        return function is not None and holder.id in shape_variables(function)
    return holder is not None and is_shape_expression(holder)


def length_written(node: ast.Slice) -> ast.expr | None:
    """Returns the `n` of `[start : start + n]`; None for any other slice."""
    lower, upper = node.lower, node.upper
    if lower is None or node.step is not None or not isinstance(upper, ast.BinOp) or not isinstance(upper.op, ast.Add):
        return None
    start = ast.dump(lower)
    if ast.dump(upper.left) == start:
        return upper.right
    return upper.left if ast.dump(upper.right) == start else None


def _item(items: tuple[Value, ...] | str, key: Value) -> Value:
    if isinstance(key, slice):
        if not all(part is None or type(part) is int for part in (key.start, key.stop, key.step)) or key.step == 0:
            return Unknown("an unknown slice")
        return items[key]
    if type(key) is not int:
        return Unknown("an unknown index")
    return items[key] if -len(items) <= key < len(items) else Unknown("an index out of range")


def _layer(value: ModuleContainer, key: Value) -> Value:
    if isinstance(key, str):
        return value.items.get(key, Unknown("no such layer"))
    found = _item(tuple(value.items.values()), key)
    if isinstance(key, slice) and isinstance(found, tuple):
        return ModuleContainer(value.kind, {str(index): one for index, one in enumerate(found)})
    return found
