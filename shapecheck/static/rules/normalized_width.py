"""`self.bn(self.conv(x))` of a conv with `inplanes` channels and a BatchNorm2d of `planes`: both names must be equal.

Sizes that a user chooses for two parts of a model may always be equal. The normalization of what a layer returns has
the width of that layer, and its author could have written the same name.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from shapecheck.ops import ModuleSpec
from shapecheck.spec import Dim, TensorSpec
from shapecheck.static.engine.hooks import AbstractCall, Called, before
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._named_sizes import are_two_names

_CODE: Final = "off-default"
_WIDTHS = ("out_features", "out_channels")
_RANKS: Final = {"1d": (2, 3), "2d": (4,), "3d": (5,)}
"""The ranks of inputs with a batch, by the end of the name of a layer."""


@before(_CODE, *(Called(f"{kind}Norm{rank}d") for kind in ("Batch", "Instance") for rank in (1, 2, 3)))
def of_layer(call: AbstractCall) -> None:
    """Reports a normalization of another width than that of the layer whose result it receives."""
    given = call.argument(0, "input")
    expected = call.run.knowledge.settled(getattr(call.layer, "num_features", None))
    if not isinstance(given, TensorSpec) or given.rank not in _RANKS[call.name[-2:]]:
        return
    found = given.shape.at(1)
    if not isinstance(found, Dim) or not isinstance(expected, Dim):
        return
    if are_two_names(found, expected) and _is_width(call, given, found):
        message = (
            f"{call.name}: expected {expected} channels, got {given.shape} (works only if {expected} equals {found})"
        )
        why = partial(conflict_notes, call.run, call.node, call.layer or call.name, call.args, call.kwargs)
        call.run.report(_CODE, call.node, message, why)


def _is_width(call: AbstractCall, given: TensorSpec, size: object) -> bool:
    """Whether the layer that returned a tensor was built with this size; True before origins are recorded."""
    if not call.run.origins.noted:
        return True
    made = call.run.origins.of_tensor(given)
    if made is None or not isinstance(made.callee, ModuleSpec):
        return False
    return any(getattr(made.callee, name, None) == size for name in _WIDTHS)
