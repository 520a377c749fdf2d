"""`F.cross_entropy(scores, target)` of scores (b, t, classes) and a target (b, t): the classes must be dimension 1.

Torch compares t with the classes, which a caller may have by chance. A target (b, 1) or (b, 1, h, w) is the same
mistake the other way round: it has the dimension of the classes that class indices lack.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from shapecheck.ops import Unknown
from shapecheck.spec import Size, TensorSpec, same
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.engine.hooks import AbstractCall, Called, before
from shapecheck.static.provenance.causes import causes_of_pair
from shapecheck.static.provenance.conflicts import conflict_notes
from shapecheck.static.rules._class_places import have_classes_last
from shapecheck.static.rules._named_sizes import is_named

_CODE: Final = "shape-mismatch"
_CLASSES = 1


@before(_CODE, "cross_entropy", "nll_loss", Called("CrossEntropyLoss"), Called("NLLLoss"))
def of_scores(call: AbstractCall) -> Unknown | None:
    """Reports scores with the classes last, and a target with a dimension of size 1 for them."""
    scores, target = call.argument(0, "input"), call.argument(1, "target")
    if not isinstance(scores, TensorSpec) or not isinstance(target, TensorSpec) or not scores.rank or not target.rank:
        return None
    if mark_of(scores) is not None or mark_of(target) is not None:
        return None
    wrong = _classes_last(scores, target) or _target_with_classes(scores, target)
    if not wrong:
        return None
    why = partial(conflict_notes, call.run, call.node, call.name, (scores, target), {})
    causes = partial(causes_of_pair, call.run, call.node, scores, target)
    return call.run.report(_CODE, call.node, f"{call.name}: {wrong}", why, causes)


def _classes_last(scores: TensorSpec, target: TensorSpec) -> str:
    sizes = tuple(scores.dims)
    if not have_classes_last(scores, target) or not _differ(sizes[_CLASSES], sizes[-1]):
        return ""
    place = len(sizes) - 1
    needed = f"it works only if {sizes[_CLASSES]} equals {sizes[-1]}: use movedim({place}, {_CLASSES}), or flatten both"
    shapes = f"expected the classes in dimension {_CLASSES} of {scores.shape}, which has them in dimension {place}"
    return f"{shapes} for a target of shape {target.shape}; {needed}"


def _target_with_classes(scores: TensorSpec, target: TensorSpec) -> str:
    sizes, others = tuple(scores.dims), tuple(target.dims)
    if len(sizes) != len(others) or len(sizes) < 2 or others[_CLASSES] != 1 or not is_named(sizes[_CLASSES]):
        return ""
    if any(same(one, other) is False for one, other in zip(sizes[2:], others[2:], strict=True)):
        return ""
    shapes = f"got a target of shape {target.shape} for scores of shape {scores.shape}"
    return f"expected class indices without dimension {_CLASSES}, {shapes}; use squeeze({_CLASSES})"


def _differ(size: Size, of: Size) -> bool:
    """Whether two sizes have different names, or one has a name and the other is a number."""
    is_known = all(type(one) is int or is_named(one) for one in (size, of))
    return is_known and same(size, of) is None
