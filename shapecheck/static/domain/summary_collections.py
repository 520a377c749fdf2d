"""Summary collections: lists, dicts and ModuleLists of unknown length, whose items (values) one element summarizes.

Code that does not look at the field SUMMARY sees a collection that is top; a dict keeps its known keys in ITEMS.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial, reduce

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Size, TensorSpec, unknown
from shapecheck.spec.dim import substitute as put_in
from shapecheck.spec.dim import variables
from shapecheck.static.domain.abstract_values import ABSENT, Field, Value
from shapecheck.static.domain.alternatives import MaybeAbsent, members_of, one_of, present
from shapecheck.static.domain.followed_axes import fresh_axes
from shapecheck.static.domain.join import Agree, join, joined_all, joined_items
from shapecheck.static.domain.objects import (
    IS_TOP,
    ITEMS,
    STANDS_FOR,
    SUMMARY,
    Collection,
    DictValue,
    ListValue,
    ModuleContainer,
)
from shapecheck.static.domain.stand_ins import stand_in, stand_in_of
from shapecheck.static.domain.structural_equality import structurally_equal
from shapecheck.static.domain.substitution import substitute
from shapecheck.static.domain.values import SummarySequence

FIELDS = (ITEMS, IS_TOP, SUMMARY)
State = Mapping[Field, Value]
"""The fields of a collection that represent its items."""


def summary_list(item: Value) -> ListValue:
    """A list of unknown length whose items this element summarizes."""
    made = ListValue()
    made.fields |= {IS_TOP: True, SUMMARY: item}
    return made


def summary_dict(value: Value) -> DictValue:
    """A dict with unknown keys whose values this element summarizes."""
    made = DictValue()
    made.fields |= {IS_TOP: True, SUMMARY: value}
    return made


def summary_layers(layer: Value, kind: str = "ModuleList") -> ModuleContainer:
    """A ModuleList, or another container, of unknown length whose layers this element summarizes."""
    made = ModuleContainer(kind, {})
    made.fields |= {IS_TOP: True, SUMMARY: layer}
    return made


def is_summary(value: Value) -> bool:
    """Whether it is a list, a dict or a ModuleList of unknown length with a summary element."""
    return isinstance(value, Collection) and SUMMARY in value.fields


def merged_element(one: Value, other: Value) -> Value:
    """The join of two elements; sizes that differ become an unknown size."""
    if type(one) is type(other) and isinstance(one, (ListValue, DictValue)) and isinstance(other, type(one)):
        return one if one is other else _both(one, other)
    known = members_of(one)
    more = [each for each in members_of(other) if not any(structurally_equal(kept, each) for kept in known)]
    return one if not more else join(one, one_of(more), _alike)


def any_of(items: Sequence[Value]) -> Value:
    """One of several items, it is unknown which; a change of a collection among them is seen."""
    rows = [one for one in items if type(one) is tuple]
    if len(rows) == len(items) > 1 and len(set(map(len, rows))) == 1:
        return tuple([any_of(column) for column in zip(*rows, strict=True)])
    found = stand_in_of(items, merged_element)
    return joined_all(items, merged_element) if found is None else found


def _both(one: ListValue | DictValue, other: ListValue | DictValue) -> ListValue | DictValue:
    """A collection that summarizes two of one kind; as an element represents many items, it is neither of them."""
    of_dict = isinstance(one, DictValue)
    made = DictValue() if of_dict else ListValue()
    made.fields = merge_states([one.fields, other.fields], _alike, of_dict=of_dict) or {ITEMS: _both_items(one, other)}
    made.fields[STANDS_FOR] = (one, other)
    return made


def _both_items(one: ListValue | DictValue, other: ListValue | DictValue) -> Value:
    if isinstance(one, DictValue) and isinstance(other, DictValue):
        return joined_items(one.items, other.items, _alike)
    return tuple(map(merged_element, one.items, other.items))


def _alike(one: Size, other: Size) -> Size:
    return one if one == other else unknown()


def element_in_state(state: State) -> Value:
    """The summary of all items of a collection in this state."""
    found = _each_in(state)
    return Unknown("an item of an empty collection") if found is ABSENT else found


def _items(state: State) -> tuple[Value, ...] | dict[Value, Value]:
    items = state[ITEMS]
    return items if isinstance(items, (tuple, dict)) else ()


def _each_in(state: State) -> Value:
    """The summary of all items; ABSENT if there are none."""
    if IS_TOP in state and SUMMARY not in state:
        return Unknown("an item of an unknown collection")
    items = _items(state)
    held = list(items if isinstance(items, tuple) else items.values())
    if MaybeAbsent in map(type, held):
        held = list(map(present, held))
    if SUMMARY in state:
        held.append(state[SUMMARY])
    return joined_all(held, merged_element) if held else ABSENT


def element_at(value: Collection, key: Value) -> Value:
    """The value of `value[key]`, for a list or dict that is a summary."""
    if isinstance(value, DictValue) and isinstance(key, (str, int)) and key in value.items:
        return present(value.items[key])
    return fresh_element(element_in_state(value.fields))


def merge_states(states: Sequence[State], agree: Agree, *, of_dict: bool) -> dict[Field, Value] | None:
    """The join of the states of a collection; None if none is a summary and their items can be joined one by one."""
    lost = any(IS_TOP in one for one in states)
    if of_dict and not lost:
        return None
    items = list(map(_items, states))
    if not lost and (len(set(map(len, items))) == 1 or any(type(one) is not tuple for one in items)):
        return None
    if any(IS_TOP in one and SUMMARY not in one for one in states):
        return {ITEMS: items[0], IS_TOP: True}
    found = [one for one in map(_each_in, states) if one is not ABSENT]
    each = joined_all(found, merged_element) if found else Unknown("an item of an empty collection")
    return {ITEMS: _joined_keys(states, agree) if of_dict else (), IS_TOP: True, SUMMARY: each}


def _joined_keys(states: Sequence[State], agree: Agree) -> dict[Value, Value]:
    known = dict.fromkeys(key for one in states for key in _items(one))
    return reduce(partial(joined_items, agree=agree), [_with_keys(one, known) for one in states])


def _with_keys(state: State, known: Iterable[Value]) -> dict[Value, Value]:
    """The items of a dict, those with other known keys among them if it is a summary."""
    items = _items(state)
    if not isinstance(items, dict):
        return {}
    return {key: items.get(key, state[SUMMARY]) for key in known} if SUMMARY in state else items


def merge_layer_states(states: Sequence[State], agree: Agree) -> dict[Field, Value] | None:
    """The same for a ModuleList, whose items have numbers for names."""
    together = merge_states([{**one, ITEMS: _layers(one)} for one in states], agree, of_dict=False)
    return together and {**together, ITEMS: {str(place): one for place, one in enumerate(_items(together))}}


def _layers(state: State) -> tuple[Value, ...]:
    items = _items(state)
    return tuple(items.values()) if isinstance(items, dict) else items


def state_with(state: State, value: Value, key: Value = None, *, known_key: bool = False) -> dict[Field, Value]:
    """The state after a value is put in: at a known key of a dict, or at any place."""
    before = _each_in(state)
    each = value if before is ABSENT else merged_element(before, value)
    items = state[ITEMS]
    if not isinstance(items, dict):
        return {ITEMS: (), IS_TOP: True, SUMMARY: each}
    changed = {**items, key: value} if known_key else {name: join(present(one), value) for name, one in items.items()}
    return {ITEMS: changed, IS_TOP: True, SUMMARY: each}


def fresh_element(value: Value) -> Value:
    """One more item that the element summarizes: its unknown sizes are new ones, its collections are stand-ins."""
    return stand_in(substitute(value, _fresh_size, fresh_axes))


def _fresh_size(size: Size) -> Size:
    if not isinstance(size, Dim):
        return size
    return put_in(size, {one: unknown(one.name, low=0) for one in variables(size) if not one.scope})


def sequence_element(value: SummarySequence) -> Value:
    """One of the items."""
    item = value.item
    if value.are_alike and isinstance(item, TensorSpec):
        return item.with_layout(item.layout, item.strides)
    return fresh_element(item)
