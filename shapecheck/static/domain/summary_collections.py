"""Lists, dicts and ModuleLists of unknown length, all of whose items (values) are alike.

Such a collection is `lost` to who does not look for its field `each`; a dict has under `items` the keys that are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, reduce
from typing import Any

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, Size, VariadicAxes, unknown
from shapecheck.spec.dim import substitute as put_in
from shapecheck.spec.dim import variables
from shapecheck.static.domain.abstract_values import Field, Value
from shapecheck.static.domain.alternatives import present
from shapecheck.static.domain.join import Agree, join, joined_items
from shapecheck.static.domain.structural_equality import structurally_equal
from shapecheck.static.domain.substitution import substitute
from shapecheck.static.domain.values import (
    IS_TOP,
    ITEMS,
    SUMMARY,
    Collection,
    DictValue,
    ListValue,
    ModuleContainer,
    SummarySequence,
)

FIELDS = (ITEMS, IS_TOP, SUMMARY)
State = Mapping[Field, Any]
"""The fields of a collection that say what it holds."""
_NOTHING = object()


def summary_list(item: Value) -> ListValue:
    """A list of unknown length with items like this one."""
    made = ListValue()
    made.fields |= {IS_TOP: True, SUMMARY: item}
    return made


def summary_dict(value: Value) -> DictValue:
    """A dict with unknown keys and values like this one."""
    made = DictValue()
    made.fields |= {IS_TOP: True, SUMMARY: value}
    return made


def summary_layers(layer: Value) -> ModuleContainer:
    """A ModuleList of unknown length with layers like this one."""
    made = ModuleContainer("ModuleList", {})
    made.fields |= {IS_TOP: True, SUMMARY: layer}
    return made


def is_summary(value: Value) -> bool:
    """Whether it is a list, a dict or a ModuleList of unknown length with items that are alike."""
    return isinstance(value, Collection) and SUMMARY in value.fields


def merged_element(one: Value, other: Value) -> Value:
    """What an item is like that is like one or the other; numbers that differ are one that nobody knows."""
    if type(one) is type(other) and isinstance(one, (ListValue, DictValue)):
        return one if one is other else _both(one, other)
    return one if structurally_equal(one, other) else join(one, other, _alike)


def _both(one: ListValue | DictValue, other: ListValue | DictValue) -> ListValue | DictValue:
    """A collection that is like both: it stands for many already, so that it need not be one of them."""
    of_dict = isinstance(one, DictValue)
    made = DictValue() if of_dict else ListValue()
    made.fields = merge_states([one.fields, other.fields], _alike, of_dict=of_dict) or {
        ITEMS: joined_items(one.fields[ITEMS], other.fields[ITEMS], _alike)
        if of_dict
        else tuple(map(merged_element, one.fields[ITEMS], other.fields[ITEMS]))
    }
    return made


def _alike(one: Size, other: Size) -> Size:
    return one if one == other else unknown()


def element_in_state(state: State) -> Value:
    """What any item of a collection in this state is like."""
    found = _each_in(state)
    return Unknown("an item of nothing") if found is _NOTHING else found


def _each_in(state: State) -> Value:
    if IS_TOP in state and SUMMARY not in state:
        return Unknown("an item of a collection that is not known")
    items = state[ITEMS]
    held = [present(one) for one in (items.values() if isinstance(items, dict) else items)]
    if SUMMARY in state:
        held.append(state[SUMMARY])
    return reduce(merged_element, held) if held else _NOTHING


def element_at(value: Collection, key: Value) -> Value:
    """What `value[key]` is, for an open list or dict."""
    if isinstance(value, DictValue) and isinstance(key, (str, int)) and key in value.items:
        return present(value.items[key])
    return fresh_element(element_in_state(value.fields))


def merge_states(states: Sequence[State], agree: Agree, *, of_dict: bool) -> dict[str, Any] | None:
    """What holds of a collection in each of these states; None where none is open and their items go together."""
    lost = any(IS_TOP in one for one in states)
    if of_dict and not lost:
        return None
    lengths = {len(one[ITEMS]) for one in states}
    if not lost and (len(lengths) == 1 or any(type(one[ITEMS]) is not tuple for one in states)):
        return None
    first = states[0][ITEMS]
    if any(IS_TOP in one and SUMMARY not in one for one in states):
        return {ITEMS: first, IS_TOP: True}
    found = [one for one in map(_each_in, states) if one is not _NOTHING]
    each = reduce(merged_element, found) if found else Unknown("an item of nothing")
    items = _met_keys(states, agree) if of_dict else ()
    return {ITEMS: items, IS_TOP: True, SUMMARY: each}


def _met_keys(states: Sequence[State], agree: Agree) -> dict[Value, Value]:
    known = dict.fromkeys(key for one in states for key in one[ITEMS])
    filled = [
        {key: one[ITEMS].get(key, one[SUMMARY]) for key in known} if SUMMARY in one else one[ITEMS] for one in states
    ]
    return reduce(partial(joined_items, agree=agree), filled)


def merge_layer_states(states: Sequence[State], agree: Agree) -> dict[str, Any] | None:
    """The same of a ModuleList, whose items have numbers for names."""
    together = merge_states([{**one, ITEMS: tuple(one[ITEMS].values())} for one in states], agree, of_dict=False)
    return together and {**together, ITEMS: {str(place): one for place, one in enumerate(together[ITEMS])}}


def state_with(state: State, value: Value, key: Value = None, *, known_key: bool = False) -> dict[str, Any]:
    """The state after a value is put in: at a known key of a dict, or at any place."""
    before = _each_in(state)
    each = value if before is _NOTHING else merged_element(before, value)
    items = state[ITEMS]
    if not isinstance(items, dict):
        return {ITEMS: (), IS_TOP: True, SUMMARY: each}
    changed = {**items, key: value} if known_key else {name: join(present(one), value) for name, one in items.items()}
    return {ITEMS: changed, IS_TOP: True, SUMMARY: each}


def fresh_element(value: Value) -> Value:
    """One more item like this one: sizes that nobody knows may be others."""
    return substitute(value, _fresh_size, _fresh_axes)


def _fresh_axes(axes: VariadicAxes | None) -> VariadicAxes | None:
    return VariadicAxes() if axes is not None and axes.name is None else axes


def _fresh_size(size: Size) -> Size:
    if not isinstance(size, Dim):
        return size
    return put_in(size, {one: unknown(one.name, low=0) for one in variables(size) if not one.scope})


def sequence_element(value: SummarySequence) -> Value:
    """One of the items."""
    return fresh_element(value.item)
