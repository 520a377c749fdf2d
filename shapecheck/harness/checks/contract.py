"""The reference run: the annotations hold for inputs that fit them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.checks.table import check
from shapecheck.harness.inputs.attempt import Attempt
from shapecheck.harness.trial import Trial


@check(0)
def contract(trial: Trial) -> Iterator[Diagnostic]:
    """Shapes, dtypes and layouts at each annotated boundary; a size that forward itself writes down is none of them."""
    if not trial.learnt.fits:
        yield trial.failed(trial.reference, _sizes(trial.reference))
        return
    for name, size in trial.learnt.sizes.items():
        origin = trial.learnt.origins.get(name)
        if origin is None:
            continue
        if _is_another_axis(trial, name, size):
            yield trial.failed(origin, _sizes(origin))
        elif _is_written(origin, size):
            place = origin.place
            had = origin.plan.sizes.get(name)
            yield trial.finding(
                "hard-coded-size",
                f"the annotation takes any `{name}`, this line only {size}: with {name}={had}, {_first(origin)}",
                place,
            )


def _is_another_axis(trial: Trial, name: str, size: int) -> bool:
    """Whether a tensor has that size along another axis too, which was not learnt with this one.

    Then the model does not ask for this size: it has exchanged the two axes.
    """
    demands, learnt = trial.subject.demands, trial.learnt
    for place, array in demands.arrays(trial.plan.absent):
        at = demands.axis_of(place, array, name)
        if at is None:
            continue
        others = {
            index: other
            for other in trial.plan.sizes
            if other != name and (index := demands.axis_of(place, array, other)) is not None
        }
        for index, found in enumerate(demands.shape(place, array, trial.plan.sizes)):
            together = index in others and learnt.origins.get(others[index]) is learnt.origins[name]
            if index != at and found == size and not together:
                return True
    return False


def _is_written(origin: Attempt, size: int) -> bool:
    """Whether the number stands in the line that failed."""
    return origin.place is not None and re.search(rf"(?<![\w.]){size}(?![\w.])", origin.place.text) is not None


def _first(tried: Attempt) -> str:
    return (str(tried.error).strip().splitlines() or [""])[0][:200]


def _sizes(tried: Attempt) -> str:
    sizes = ", ".join(f"{name}={size}" for name, size in tried.plan.sizes.items() if not name.startswith("*"))
    return f"with {sizes}" if sizes else ""
