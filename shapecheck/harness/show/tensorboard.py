"""Event files for TensorBoard: figures as scalars, one chart a figure and case, and the findings as text.

Written with the package `tensorboard` alone, without torch or TensorFlow.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from shapecheck.diagnostics import Diagnostic
from shapecheck.diagnostics.render.text import parts
from shapecheck.harness.results import CaseResult, Cost, RunReport, flat
from shapecheck.harness.show.summary import sentence

_PROTO = "tensorboard.compat.proto"


class TensorBoardError(Exception):
    """The event file cannot be written; the message is one line."""


def require() -> None:
    """Raise TensorBoardError if the package is missing: to be called before a long run."""
    try:
        import_module("tensorboard.summary.writer.event_file_writer")
    except ImportError as error:
        raise TensorBoardError(
            f"--tensorboard requires the package tensorboard; run: pip install tensorboard ({error})"
        ) from None


def write(report: RunReport, folder: Path) -> None:
    """Add an event file to the directory, which is created if it does not exist."""
    require()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writer = import_module("tensorboard.summary.writer.event_file_writer").EventFileWriter(str(folder))
        writer.add_event(_event([_text("summary", _overview(report))]))
        for case in report.cases:
            writer.add_event(_event([*_scalars(case), *_texts(case)]))
        writer.close()
    except OSError as error:
        raise TensorBoardError(f"{folder}: cannot write: {error.strerror or error}") from None


def _event(values: Sequence[Any]) -> Any:
    summary = import_module(f"{_PROTO}.summary_pb2").Summary(value=values)
    return import_module(f"{_PROTO}.event_pb2").Event(wall_time=time.time(), step=0, summary=summary)


def _scalars(case: CaseResult) -> Iterator[Any]:
    kind = import_module(f"{_PROTO}.summary_pb2").Summary.Value
    for name, number in _figures(case):
        yield kind(tag=f"{name}/{case.name}", simple_value=float(number))


def _figures(case: CaseResult) -> Iterator[tuple[str, float]]:
    if case.modules:
        yield "parameters", case.modules[0].parameters
    yield from _of_cost(case.cost) if case.cost is not None else ()
    yield "findings", len(case.diagnostics)


def _of_cost(cost: Cost) -> Iterator[tuple[str, float]]:
    figures = {
        "flops": cost.flops,
        "backward_flops": cost.backward_flops,
        "moved_bytes": cost.moved_bytes,
        "intensity": cost.intensity,
        "seconds": cost.seconds,
        "mfu": cost.mfu,
        "peak_bytes": cost.peak_bytes,
    }
    yield from ((name, number) for name, number in figures.items() if number is not None)
    yield from ((f"memory_{what}", sum(by_dtype.values())) for what, by_dtype in cost.memory.items())


def _texts(case: CaseResult) -> Iterator[Any]:
    if case.diagnostics or case.detail:
        yield _text(f"findings/{case.name}", _markdown(case))


def _text(tag: str, markdown: str) -> Any:
    metadata = import_module("tensorboard.plugins.text.metadata").create_summary_metadata("", "")
    tensor = import_module(f"{_PROTO}.tensor_pb2").TensorProto(
        dtype=import_module(f"{_PROTO}.types_pb2").DT_STRING,
        string_val=[markdown.encode("utf-8", "backslashreplace")],
    )
    return import_module(f"{_PROTO}.summary_pb2").Summary.Value(tag=tag, metadata=metadata, tensor=tensor)


def _overview(report: RunReport) -> str:
    rows = [f"| {_code(name)} | {_code(value)} |" for name, value in flat(report.environment)]
    table = ["| environment | |", "|---|---|", *rows] if rows else []
    return "\n".join([f"**{sentence(report)}**", "", *table, "", *_findings(report.diagnostics)])


def _markdown(case: CaseResult) -> str:
    detail = f": {_code(' '.join(case.detail.split()))}" if case.detail else ""
    return "\n".join([f"**{case.outcome.value}**{detail}", "", *_findings(case.diagnostics)])


def _findings(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    for diagnostic in sorted(diagnostics):
        for number, (place, severity, message, code) in enumerate(parts(diagnostic)):
            indent = "    " if number else ""
            yield f"{indent}- {_code(place)} {severity.value}: {_code(' '.join(message.split()))}{code}"


def _code(text: str) -> str:
    """The text as Markdown code, so that it is not interpreted; in a table a bar would end the cell."""
    text = text.replace("|", "¦").replace("``", "` `")
    return f"`` {text} ``" if "`" in text else f"`{text}`"
