"""What the processes of a case are told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from shapecheck.harness.cases.model import KnownInputs, Target
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.run_options import RunOptions


@dataclass(frozen=True)
class Order:
    """What each process does. constructor: of the way to build the case that the reference run chose.

    compares: whether the result is compared with that of the model on its own. wait_seconds: how long a process waits
    for others in a collective; limit_seconds: how long it may take.
    """

    target: Target
    name: str
    constructor: str
    known: KnownInputs | None
    plan: InputPlan
    options: RunOptions
    folder: Path
    compares: bool
    wait_seconds: float
    limit_seconds: float
