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
    """The outcome of a case or of one of its checks."""

    PASSED = "passed"
    FAILED = "failed"
    """It ran and failed: its diagnostics report why."""
    SKIPPED = "skipped"
    """It does not apply; `detail` is the reason."""
    UNBUILT = "unbuilt"
    """No instance of the class could be built; `detail` is the reason and the fix."""
    ENDED = "ended"
    """It exceeded a limit of time or memory, or its process died; `detail` is the reason."""


@dataclass(frozen=True)
class CheckResult:
    """One check of a case. name: that of its file in `harness/checks/`."""

    name: str
    outcome: Status
    detail: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class ModuleRecord:
    """One module of the tree in the reference run; figures include all modules below it."""

    path: str
    """As in `named_modules`: `blocks.0.attention`, empty for the case itself."""
    kind: str
    file: str = ""
    line: int = 0
    """Where its forward is defined; empty and 0 if there is no source or it belongs to a library."""
    calls: int = 0
    inputs: tuple[str, ...] = ()
    """The tensors of the first call: `torch.float32 (2, 3)`, and the layout unless contiguous: `strides (1, 2)`."""
    outputs: tuple[str, ...] = ()
    annotation: str = ""
    """The signature of its forward in the source, if it has shapes: `(x: Float[Tensor, 'b d']) -> ...`."""
    parameters: int = 0
    """Elements of its parameters, each counted once."""
    flops: int = 0
    moved_bytes: int = 0
    """Bytes read and written by its operators, if nothing is cached."""
    seconds: float | None = None


@dataclass(frozen=True)
class LineRecord:
    """An event of one line of the program while the case ran."""

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
class ShardRecord:
    """A tensor as several processes have it."""

    name: str
    """A parameter, `fc.weight`, or a module and the position of an argument or a result: `fc input 0`."""
    whole: str
    """Dtype and shape of the tensor that the processes have together: `torch.float32 (5, 7)`."""
    local: tuple[str, ...]
    """Dtype and shape in each process, by rank; empty where it has none."""
    placements: str = ""
    """How a DTensor is divided: `Shard(dim=0)`; empty for other tensors, of which each process has all."""


@dataclass(frozen=True)
class Cost:
    """The cost of one forward of the case at the reference sizes."""

    flops: int = 0
    moved_bytes: int = 0
    intensity: float = 0.0
    """flops a byte."""
    device_intensity: float | None = None
    """The ratio of the device's peak arithmetic to its memory bandwidth, in the same unit; None if unknown."""
    bound: str = ""
    """`memory` or `math`: what limits the case on the device; empty if unknown."""
    expected_flops: int | None = None
    """2 per parameter and token if the case has tokens: a cross-check."""
    backward_flops: int | None = None
    seconds: float | None = None
    """Median of a forward."""
    mfu: float | None = None
    """The share of the device's peak arithmetic that is reached."""
    memory: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Bytes by purpose (`parameters`, `buffers`, `activations`, `gradients`, `optimizer`) and dtype."""
    peak_bytes: int | None = None
    misaligned: tuple[str, ...] = ()
    """Products whose sizes waste tensor cores, as text."""


@dataclass(frozen=True)
class CaseResult:
    """One case: a model that was built, or could not be."""

    name: str
    """`pkg.module:Class`, followed by `[label]` if a class has several cases."""
    path: str
    line: int
    outcome: Status
    detail: str = ""
    device: str = "cpu"
    seed: int = 0
    constructor: str = ""
    """How the model was built: `default arguments`, or a source and details, `timm: create_model('resnet18')`."""
    inputs_from: str = ""
    """Where its inputs come from: `annotations`, or a source and details, `parameter names: input_ids`."""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """The reference run's size of each axis name."""
    learnt: Mapping[str, str] = field(default_factory=dict)
    """Axis names that cannot have any size, and the model's requirements on them, as text."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    modules: tuple[ModuleRecord, ...] = ()
    shards: tuple[ShardRecord, ...] = ()
    """Parameters, arguments and results of modules in several processes, with `--ranks` or `--wrap`."""
    lines: tuple[LineRecord, ...] = ()
    cost: Cost | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class RunReport:
    """A whole run. environment: versions, device, topology, flags and seeds, to reproduce it."""

    environment: Mapping[str, Any]
    cases: tuple[CaseResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    """Findings without a case: a file that cannot be imported."""
    seconds: float = 0.0
    earlier: RunReport | None = None
    """The report with which it is compared; it is not part of the JSON."""

    def all_diagnostics(self) -> list[Diagnostic]:
        """All findings, those without a case first, then case by case."""
        return [*self.diagnostics, *(one for case in self.cases for one in case.diagnostics)]


def flat(environment: object, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Names and values of an environment as strings, nested ones as `flags.allow_tf32`."""
    if isinstance(environment, Mapping):
        for name, inner in environment.items():
            yield from flat(inner, f"{prefix}.{name}" if prefix else str(name))
    elif isinstance(environment, (list, tuple)):
        yield prefix, ", ".join(map(str, environment))
    else:
        yield prefix, "" if environment is None else str(environment)
