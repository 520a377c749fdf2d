"""All tensors lie on the device of the model: asked without a GPU, with FakeTensor."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.checks.table import Skip, check
from shapecheck.harness.fake_copy import fake_call
from shapecheck.harness.trial import Trial
from shapecheck.runtime.guards.places import place_of_error

_TWO_DEVICES = re.compile(
    r"two different devices|same device|found at least two devices|[Ee]xpected all tensors to be on"
)


@check(85)
def devices(trial: Trial) -> Iterator[Diagnostic]:
    """One call with the model and its inputs on another device than the CPU, without data."""
    if trial.is_fake:
        raise Skip("the tensors have no data already")
    given = trial.subject.arguments(trial.plan)
    trial.subject.restore()
    try:
        fake_call(trial.model, given.args, given.kwargs, elsewhere=True)
    except Exception as error:
        if not _TWO_DEVICES.search(str(error)):
            raise Skip(f"it cannot be asked without data: {str(error).strip().splitlines()[0][:200]}") from None
        yield trial.finding(
            "missing-device",
            "a tensor that is made on the CPU meets one of the model's device: give it device=... of an input",
            place_of_error(error),
            module=trial.module_of(error),
        )
