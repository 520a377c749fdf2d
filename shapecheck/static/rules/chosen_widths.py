"""`self.head(x)` of an x with `width` features and `head = nn.Linear(vocab, width)`: it works only if both are equal.

The user of the class chooses both sizes, and layers of the class are built with each of them. A size that a tensor of
the caller has is another matter: the layer requires it.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from shapecheck.spec import Dim, Size, TensorSpec
from shapecheck.spec.dim import variables
from shapecheck.static.engine.hooks import AbstractCall, Called, before
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._arguments import given_tensors
from shapecheck.static.rules._named_sizes import are_two_names
from shapecheck.static.rules._owners import widths

_CODE: Final = "off-default"
_EXPECTED: Final = {
    "Linear": ("in_features", -1),
    **{f"Conv{rank}d": ("in_channels", -rank - 1) for rank in (1, 2, 3)},
    **dict.fromkeys(("RNN", "LSTM", "GRU"), ("input_size", -1)),
}
"""The attribute of a layer with the size that it expects, and the dimension of the input."""


@before(_CODE, *map(Called, _EXPECTED))
def of_layer(call: AbstractCall) -> None:
    """Reports an input of another width than that of the layer."""
    given = call.argument(0, "input")
    attribute, place = _EXPECTED[call.name]
    expected = call.run.knowledge.settled(getattr(call.layer, attribute, None))
    has_place = isinstance(given, TensorSpec) and (given.rank is None or given.rank >= -place)
    found = given.shape.at(place) if isinstance(given, TensorSpec) and has_place else None
    if not isinstance(found, Dim) or not isinstance(expected, Dim):
        return
    if are_two_names(found, expected) and all(_is_chosen(call.run, one) for one in (found, expected)):
        message = f"{call.name}: expected {expected} in dimension {place} of the input, got {found}"
        why = partial(conflict_notes, call.run, call.node, call.layer or call.name, call.args, call.kwargs)
        call.run.report(_CODE, call.node, f"{message} (works only if {expected} equals {found})", why)


def _is_chosen(run: Run, size: Size) -> bool:
    """Whether a weight of a running module has this size, and no tensor that an active call received."""
    if size not in widths(run):
        return False
    shapes = [value.shape for value in given_tensors(run)]
    return not any(size in variables(one) for shape in shapes for one in (*shape.head, *shape.tail))
