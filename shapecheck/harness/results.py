"""Results of a run as plain data: made in worker processes, stored as JSON, shown and compared.

Imports no torch. Sizes are numbers of elements, `*_bytes` are bytes, `seconds` are seconds, `flops` are single
floating-point operations: a multiplication with an addition counts 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from shapecheck.diagnostics import Diagnostic


class Status(str, Enum):
    """How a case or a check of it ended."""

    PASSED = "passed"
    FAILED = "failed"
    """It ran, and something does not hold: its diagnostics say what."""
    SKIPPED = "skipped"
    """It does not apply here; `detail` says why."""
    UNBUILT = "unbuilt"
    """There is no instance of the class to run; `detail` says why, and how to give one."""
    ENDED = "ended"
    """It took too long or too much memory, or its process died; `detail` says which."""


@dataclass(frozen=True)
class CheckResult:
    """One check of a case. name: that of its file in `harness/checks/`."""

    name: str
    outcome: Status
    detail: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class ModuleRecord:
    """One module of the tree, as the reference run saw it; figures are of the module with all below it."""

    path: str
    """As in `named_modules`: `blocks.0.attention`, empty for the case itself."""
    kind: str
    file: str = ""
    line: int = 0
    """Where its forward is defined; empty and 0 where there is no source, or it is a library's."""
    calls: int = 0
    inputs: tuple[str, ...] = ()
    """The tensors of the first call: `torch.float32 (2, 3)`."""
    outputs: tuple[str, ...] = ()
    annotation: str = ""
    """Its forward's signature as it is written, where it has shapes: `(x: Float[Tensor, 'b d']) -> ...`."""
    parameters: int = 0
    """Elements of its parameters, each counted once."""
    flops: int = 0
    moved_bytes: int = 0
    """Read and written by its operators, if nothing stays in a cache."""
    seconds: float | None = None


@dataclass(frozen=True)
class LineRecord:
    """What one line of the program did while the case ran."""

    path: str
    line: int
    kind: str
    """`copy`, `sync`, `broadcast` or `promotion`."""
    operator: str
    count: int = 1
    moved_bytes: int = 0
    module: str = ""
    source: str = ""
    """The text of the line."""


@dataclass(frozen=True)
class Cost:
    """What one forward of the case costs at the reference sizes."""

    flops: int = 0
    moved_bytes: int = 0
    intensity: float = 0.0
    """flops a byte."""
    device_intensity: float | None = None
    """The ratio of the device's peak arithmetic to its memory bandwidth, in the same unit; None where unknown."""
    bound: str = ""
    """`memory` or `math`: what limits the case on the device; empty where that is unknown."""
    expected_flops: int | None = None
    """2 per parameter and token, where the case has tokens: a cross-check."""
    backward_flops: int | None = None
    seconds: float | None = None
    """Median of a forward."""
    mfu: float | None = None
    """The share of the device's peak arithmetic that is reached."""
    memory: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Bytes by what for (`parameters`, `buffers`, `activations`, `gradients`, `optimizer`) and dtype."""
    peak_bytes: int | None = None
    misaligned: tuple[str, ...] = ()
    """Products whose sizes waste tensor cores, in words."""


@dataclass(frozen=True)
class CaseResult:
    """One case: a model that was built, or could not be."""

    name: str
    """`pkg.module:Class`, with `[label]` behind it where a class has several cases."""
    path: str
    line: int
    outcome: Status
    detail: str = ""
    device: str = "cpu"
    seed: int = 0
    sizes: Mapping[str, int] = field(default_factory=dict)
    """The reference run's size of each axis name."""
    learnt: Mapping[str, str] = field(default_factory=dict)
    """Axis names that could not be any size, and what the model asks of them, in words."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    modules: tuple[ModuleRecord, ...] = ()
    lines: tuple[LineRecord, ...] = ()
    cost: Cost | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class RunReport:
    """A whole run. environment: versions, device, topology, flags and seeds, so that it can be repeated."""

    environment: Mapping[str, Any]
    cases: tuple[CaseResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    """What belongs to no case: a file that cannot be imported."""
    seconds: float = 0.0

    def all_diagnostics(self) -> list[Diagnostic]:
        """Those of no case first, then case by case."""
        return [*self.diagnostics, *(one for case in self.cases for one in case.diagnostics)]


def flat(environment: object, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Names and values of an environment as texts, the nested ones as `flags.allow_tf32`."""
    if isinstance(environment, Mapping):
        for name, inner in environment.items():
            yield from flat(inner, f"{prefix}.{name}" if prefix else str(name))
    elif isinstance(environment, (list, tuple)):
        yield prefix, ", ".join(map(str, environment))
    else:
        yield prefix, "" if environment is None else str(environment)
