"""Runs cases in a process that does other work, such as a test suite's, and restores the state they change."""

from __future__ import annotations

import logging
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import torch

from shapecheck.harness.cases.model import Target
from shapecheck.harness.examine import examine, list_cases
from shapecheck.harness.program_packages import packages_of_program
from shapecheck.harness.results import CaseResult, Status
from shapecheck.harness.retrofit import checks_installed
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.work.findings import of_import
from shapecheck.runtime.describe import plural


def cases_in_process(target: Target) -> list[CaseResult]:
    """The cases of a target; if it cannot be imported, one failed case with the reason as its diagnostic."""
    target = _with_folders(target)
    try:
        with _quiet_hook():
            found = list_cases(target)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit among it
        why = of_import(error, target.file, target.root)
        return [CaseResult(target.module, why.path, why.line, Status.FAILED, why.message, diagnostics=(why,))]
    return [one for one in found if not target.label or one.name.endswith(f"[{target.label}]")]


def examine_in_process(target: Target, name: str, options: RunOptions) -> CaseResult:
    """Examines a case. Modules that were imported unchecked are checked meanwhile; random numbers are restored."""
    target = _with_folders(target)
    with ExitStack() as stack:
        stack.enter_context(_quiet_hook())
        stack.enter_context(checks_installed(packages_of_program(target)))
        stack.enter_context(_random_numbers(options.device))
        stack.enter_context(_quiet_trace())
        return examine(target, name, options)


def _with_folders(target: Target) -> Target:
    """The target of a test suite, whose program is in the working directory."""
    return replace(target, folders=(Path.cwd(), Path.cwd() / "src"))


def why_no_device(device: str) -> str:
    """Why cases cannot be run on the device, empty if they can."""
    kind, _, index = device.partition(":")
    count = torch.cuda.device_count() if kind == "cuda" and torch.cuda.is_available() else 0
    if kind != "cuda" or int(index or 0) < count:
        return ""
    available = f"only {plural(count, 'GPU')}" if count else "no GPU"
    return f"device {device}: {available} available"


@contextmanager
def _random_numbers(device: str) -> Iterator[None]:
    state = random.getstate()
    numpy = sys.modules.get("numpy")
    numpy_state = None if numpy is None else numpy.random.get_state()
    try:
        with torch.random.fork_rng(devices=_devices(device)):
            yield
    finally:
        random.setstate(state)
        if numpy is not None:
            numpy.random.set_state(numpy_state)


def _devices(device: str) -> list[int]:
    """The number of the GPU, if the device is one and has a number."""
    kind, _, index = device.partition(":")
    if kind != "cuda" or not torch.cuda.is_available():
        return []
    return [int(index) if index else torch.cuda.current_device()]


@contextmanager
def _quiet_hook() -> Iterator[None]:
    """Without the import hook's warning about modules that are already imported: those are checked meanwhile."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*: already imported, so not checked")
        yield


@contextmanager
def _quiet_trace() -> Iterator[None]:
    """Without foreign handlers of torch.compile's trace: pytest's log would have hundreds of lines for each case."""
    trace = logging.getLogger("torch.__trace")
    others = [one for one in trace.handlers if not type(one).__module__.startswith("torch.")]
    for one in others:
        trace.removeHandler(one)
    try:
        yield
    finally:
        for one in others:
            trace.addHandler(one)
