"""The runs for `python -m benchmarks.annotate --evidence`: the models of annotated files, and what only they show."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks.measure import environment
from shapecheck.annotate.evidence import SignatureEvidence, matched
from shapecheck.annotate.model import AnnotateOptions, Written
from shapecheck.annotate.planning import plan_file
from shapecheck.project.files import display_path
from shapecheck.project.parsing import CANNOT_PARSE, parse
from shapecheck.project.source import SourceError, SourceFile
from shapecheck.record.store import RecordedFunction, read_records

_CHECKS = ("contract", "sweep")


def recorded_runs(root: Path, data: Path) -> list[RecordedFunction]:
    """The calls of all models that the harness can run, with inputs from the annotations of their author."""
    program = "import sys; from benchmarks.annotate_runs import record; record(sys.argv[1], sys.argv[2])"
    command = [sys.executable, "-c", program, str(root), str(data)]
    variables = environment({"SHAPECHECK": "off"})  # a check of local variables compiles a function again
    subprocess.run(command, env=variables, cwd=root.parent, check=False, stdout=subprocess.DEVNULL)
    return read_records(data) if data.exists() else []


def record(root: str, data: str) -> None:
    """Runs the models below a directory, at several sizes; a model that fails shows what it showed before."""
    import shapecheck  # noqa: PLC0415 - torch is only needed in this process
    from shapecheck.harness.cases.targets import Search, find_targets  # noqa: PLC0415
    from shapecheck.harness.in_process import cases_in_process, examine_in_process  # noqa: PLC0415
    from shapecheck.harness.results import Status  # noqa: PLC0415
    from shapecheck.harness.run_options import RunOptions  # noqa: PLC0415

    options = RunOptions(checks=_CHECKS)
    with shapecheck.recording(data, root):
        for target in find_targets([root], Search()):
            for case in cases_in_process(target):
                if case.outcome is Status.PASSED and case.device != "fake":
                    with suppress(Exception):
                        examine_in_process(target, case.name, options)
    sys.stdout.flush()
    os._exit(0)  # models may have left threads


def written_from_runs(files: Sequence[Path], recorded: Sequence[RecordedFunction]) -> list[Written]:
    """What the calls show without the source."""
    found: list[Written] = []
    for path in files:
        try:
            source = SourceFile.from_bytes(path.read_bytes(), path, display_path(path))
            tree = parse(source.text)
        except (SourceError, *CANNOT_PARSE):
            continue
        evidence = SignatureEvidence({}, matched(recorded, {path: (source.display, tree)}))
        plan = plan_file(source, tree, evidence.signatures({}, {}, source.display), AnnotateOptions())
        found += [note for function in plan.functions for note in function.written]
    return found
