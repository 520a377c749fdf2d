"""Loads the weights of a case, and reports those that do not match the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from shapecheck.diagnostics import Diagnostic
from shapecheck.harness.cases.model import CaseError
from shapecheck.harness.faults import diagnostic_at
from shapecheck.harness.formatting import first_line
from shapecheck.harness.subject import Subject
from shapecheck.runtime.guards.places import SourceLocation
from shapecheck.spec.shape import Shape


def load(subject: Subject, file: Path) -> Iterator[Diagnostic]:
    """Loads the matching weights; a diagnostic for each of wrong shapes, missing keys and unexpected keys.

    Raises CaseError for a file that cannot be read.
    """
    weights = _read(file)
    own = subject.model.state_dict()
    wrong = [name for name in own if name in weights and weights[name].shape != own[name].shape]
    missing = [name for name in own if name not in weights]
    unknown = [name for name in weights if name not in own]
    if wrong:
        first = wrong[0]
        yield _mismatch(
            subject, file, wrong, f"expected {first} of shape {_shape(own[first])}, got {_shape(weights[first])}"
        )
    if missing:
        yield _mismatch(subject, file, missing, f"missing key {missing[0]}")
    if unknown:
        yield _mismatch(subject, file, unknown, f"unexpected key {unknown[0]}")
    if subject.fake is None:
        fitting = {name: tensor for name, tensor in weights.items() if name in own and name not in wrong}
        subject.model.load_state_dict(fitting, strict=False)


def _mismatch(subject: Subject, file: Path, names: list[str], what: str) -> Diagnostic:
    more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
    case = subject.case
    found = diagnostic_at(
        SourceLocation(str(case.file), case.line), "checkpoint-mismatch", f"{file.name}: {what}{more}"
    )
    return replace(found, case=case.name)


def _read(file: Path) -> Mapping[str, Tensor]:
    try:
        if file.suffix == ".safetensors":
            from safetensors.torch import load_file  # noqa: PLC0415

            return load_file(file)
        found: Any = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:
        text = first_line(error)
        raise CaseError(f"cannot read checkpoint {file.name}: {text}") from None
    for name in ("state_dict", "model", "model_state_dict"):
        if isinstance(found, dict) and isinstance(found.get(name), dict):
            found = found[name]
    if not isinstance(found, dict) or not all(isinstance(one, Tensor) for one in found.values()):
        raise CaseError(f"checkpoint {file.name} contains no state_dict")
    return found


def _shape(tensor: Tensor) -> Shape:
    return Shape(tuple(tensor.shape))
