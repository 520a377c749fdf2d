"""`F.nll_loss(F.log_softmax(x, dim=0), y)`: the classes of a sample are dimension 1, and do not sum to one.

Of two distributions, `F.kl_div(F.log_softmax(x, dim=1), F.softmax(y, dim=0))`, both must be over the same dimension.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, Called, before
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._class_places import have_classes_last
from shapecheck.static.rules._normalizations import LOGARITHMS, SOFTMAXES, axis_of, made_by, name_of, written_axes

_CODE: Final = "normalized-axis"
_CLASSES = 1
"""The dimension of the classes in scores (N, C, d1, ...)."""


class _Distribution(NamedTuple):
    """A result of softmax or log_softmax, and the dimension over which it sums to one."""

    name: str
    axis: int
    tensor: TensorSpec
    of_rows: bool = False
    """Whether rows were selected since, by a mask or by indices of dimension 0."""

    @property
    def from_end(self) -> int | None:
        """The dimension counted from the end; None if the rank is unknown."""
        if self.axis < 0:
            return self.axis
        return None if self.tensor.rank is None else self.axis - self.tensor.rank


@before(_CODE, "nll_loss", Called("NLLLoss"))
def of_classes(call: AbstractCall) -> None:
    """Reports log-probabilities over another dimension than that of the classes."""
    if _axes_in_file(call.run, LOGARITHMS) <= {str(_CLASSES)}:
        return
    scores = call.argument(0, "input")
    if not call.run.origins.noted:
        call.run.report(_CODE, call.node, "log_softmax")
        return
    found = _distribution(call.run, scores)
    if not isinstance(scores, TensorSpec) or found is None or not _is_of_samples(found, scores.rank):
        return
    if have_classes_last(scores, call.argument(1, "target")):  # the shapes are reported
        return
    message = f"{call.name}: the classes are dimension {_CLASSES} of {scores.shape}"
    why = f"but {found.name} normalized dimension {found.axis} of {found.tensor.shape}"
    call.run.report(_CODE, call.node, f"{message}, {why}; pass dim={_CLASSES} to {found.name}")


def _is_of_samples(found: _Distribution, rank: int | None) -> bool:
    """Whether log-probabilities are certainly normalized over another dimension than the classes of an input."""
    if found.of_rows and found.axis == 0:
        return True
    return rank is not None and rank > 1 and found.from_end not in (None, _CLASSES - rank)


@before(_CODE, "kl_div", Called("KLDivLoss"))
def of_distributions(call: AbstractCall) -> None:
    """Reports two distributions over different dimensions."""
    if len(_axes_in_file(call.run, LOGARITHMS | SOFTMAXES)) < 2:
        return
    if not call.run.origins.noted:
        call.run.report(_CODE, call.node, "softmax")
        return
    one = _distribution(call.run, call.argument(0, "input"))
    other = _distribution(call.run, call.argument(1, "target"))
    if one is None or other is None or _may_agree(one, other):
        return
    first = f"{call.name}: {one.name} normalized dimension {one.axis} of the input {one.tensor.shape}"
    second = f"{other.name} dimension {other.axis} of the target {other.tensor.shape}"
    call.run.report(_CODE, call.node, f"{first}, but {second}; pass the same dim to both")


@before(_CODE, "multinomial")
def of_outcomes(call: AbstractCall) -> None:
    """Reports probabilities over another dimension than the last one, of whose items `multinomial` draws some."""
    if _axes_in_file(call.run, SOFTMAXES) <= {"-1", ""}:
        return
    probabilities = call.argument(0, "input")
    if not call.run.origins.noted:
        call.run.report(_CODE, call.node, "softmax")
        return
    found = _distribution(call.run, probabilities)
    if not isinstance(probabilities, TensorSpec) or found is None or found.from_end in (None, -1) or found.of_rows:
        return
    message = f"{call.name}: draws from the last dimension of {probabilities.shape}"
    why = f"but {found.name} normalized dimension {found.axis} of {found.tensor.shape}"
    call.run.report(_CODE, call.node, f"{message}, {why}; pass dim=-1 to {found.name}")


def _axes_in_file(run: Run, names: frozenset[str]) -> frozenset[str]:
    """The dimensions that the file passes to functions and layers of these names."""
    written = written_axes(run.loaded.tree)
    return frozenset().union(*(written.get(name, frozenset()) for name in names))


def _may_agree(one: _Distribution, other: _Distribution) -> bool:
    if one.from_end is not None and other.from_end is not None:
        return one.from_end == other.from_end
    return one.axis == other.axis or one.axis * other.axis < 0 or 0 in (one.axis, other.axis)


def _distribution(run: Run, value: Value) -> _Distribution | None:
    """What softmax or log_softmax returned, also if rows of it are selected since."""
    made = made_by(run, value) if isinstance(value, TensorSpec) else None
    of_rows = made is not None and name_of(made) == "__getitem__" and not isinstance(made.args[1], (tuple, slice))
    if made is not None and of_rows:
        source = made.args[0]
        made = made_by(run, source) if isinstance(source, TensorSpec) else None
    if made is None or name_of(made) not in SOFTMAXES | LOGARITHMS or not isinstance(made.value, TensorSpec):
        return None
    axis = axis_of(made)
    return None if axis is None else _Distribution(name_of(made), axis, made.value, of_rows)
