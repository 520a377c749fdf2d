"""Strips jaxtyping annotations, annotates, and compares with the author: `--authors` of benchmarks.annotate."""

from __future__ import annotations

import ast
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.annotate_runs import recorded_runs, written_from_runs
from shapecheck.annotate.model import AnnotateOptions, Written
from shapecheck.annotate.planning import functions_of
from shapecheck.annotate.reusing import Surroundings
from shapecheck.annotate.run import run
from shapecheck.project.files import display_path, find_files
from shapecheck.record.store import RecordedFunction

_AXES = re.compile(r"\w+\[[\w.]+, ?([\"'])(?P<axes>[^\"']*)\1\]")


@dataclass
class Agreement:
    """Dimensions by how they compare with those of the author."""

    authored: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, other: Agreement) -> None:
        self.authored += other.authored
        self.counts.update(other.counts)

    def __str__(self) -> str:
        agree, weaker, wrong = (self.counts[name] for name in ("agree", "weaker", "contradict"))
        written = max(agree + weaker + wrong, 1)
        found = f"{agree + weaker + wrong} dimensions written, of {self.authored} of the author"
        precision = f"precision {agree / written:.1%} (with weaker ones {(agree + weaker) / written:.1%})"
        return f"{found}: {precision}, recall {agree / max(self.authored, 1):.1%}"


def compare(
    path: Path, jobs: int, evidences: Sequence[str], *, verbose: bool = False
) -> Iterator[tuple[str, Agreement]]:
    """Annotates a copy of the files without their annotations, from each kind of evidence, and compares."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / path.name
        if path.is_dir():
            shutil.copytree(path, root, ignore=shutil.ignore_patterns("*.pyc", ".git"))
        else:
            shutil.copy(path, root)
        files = find_files([root], (), True).files
        recorded = [] if list(evidences) == ["source"] else recorded_runs(root, Path(folder) / "calls.json")
        authored: dict[tuple[str, str], dict[str, str]] = {}
        for one in files:
            authored |= _strip(one)
        for evidence in evidences:
            written: dict[tuple[str, str], dict[str, str]] = {}
            for note in _notes(files, root, jobs, evidence, recorded):
                written.setdefault((note.function.path, note.function.name), {})[note.name] = note.text
            total = Agreement()
            for function, types in authored.items():
                _compare(function, types, written.get(function, {}), total, verbose=verbose)
            yield evidence, total


def _notes(
    files: Sequence[Path], root: Path, jobs: int, evidence: str, recorded: Sequence[RecordedFunction]
) -> list[Written]:
    """What is written from one kind of evidence."""
    if evidence == "runs":
        return written_from_runs(files, recorded)
    calls = () if evidence == "source" else recorded
    options = AnnotateOptions(write=False, noqa=False, recorded=calls)
    results = run(files, Surroundings([root.parent], jobs=jobs), options)
    return [note for result in results for note in result.written]


def _strip(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    """Removes the annotations of functions with axis strings from a file, and returns them."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (SyntaxError, UnicodeDecodeError):
        return {}
    found: dict[tuple[str, str], dict[str, str]] = {}
    cuts: list[tuple[int, int]] = []
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    raw = text.encode()
    for node, name in functions_of(tree).items():
        spec = node.args
        slots = [(one.arg, one.annotation) for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
        types = {arg: ast.unparse(one) for arg, one in (*slots, ("return", node.returns)) if one is not None}
        axes = {arg: one for arg, one in types.items() if _AXES.search(one)}
        if not axes:
            continue
        found[display_path(path), name] = axes
        for arg, one in (*slots, ("return", node.returns)):
            if one is not None and arg in axes and one.end_lineno is not None and one.end_col_offset is not None:
                start = starts[one.lineno - 1] + one.col_offset
                sign = raw.rindex(b"->" if arg == "return" else b":", 0, start)
                end = starts[one.end_lineno - 1] + one.end_col_offset
                if arg == "return" and raw[sign:end].count(b"(") < raw[sign:end].count(b")"):
                    continue
                cuts.append((sign, end))
    for start, end in sorted(cuts, reverse=True):
        raw = raw[:start].rstrip(b" ") + raw[end:]
    try:
        ast.parse(raw)
    except SyntaxError:
        return {}
    path.write_bytes(raw)
    return found


def _compare(
    function: tuple[str, str], authored: dict[str, str], written: dict[str, str], total: Agreement, *, verbose: bool
) -> None:
    names: dict[str, str] = {}
    for name, text in authored.items():
        theirs = [found["axes"].split() for found in _AXES.finditer(text)]
        ours = [found["axes"].split() for found in _AXES.finditer(written.get(name, ""))]
        total.authored += sum(1 for axes in theirs for axis in axes if not _is_open(axis))
        if len(theirs) != len(ours):
            continue
        for wanted, given in zip(theirs, ours, strict=True):
            verdicts = list(_verdicts(wanted, given, names))
            total.counts.update(verdicts)
            if verbose and "contradict" in verdicts:
                print(
                    f"  {function[0]}: {function[1]}({name}): {' '.join(given)!r}, "
                    f"the author wrote {' '.join(wanted)!r}"
                )


def _is_open(axis: str) -> bool:
    return axis.startswith(("_", "...", "*"))


def _verdicts(theirs: list[str], ours: list[str], names: dict[str, str]) -> Iterator[str]:
    """A verdict for each dimension that is written and that the author fixes."""
    open_theirs, open_ours = (
        next((i for i, one in enumerate(axes) if one.startswith(("*", "..."))), None) for axes in (theirs, ours)
    )
    if open_theirs is None and open_ours is None:
        if len(theirs) != len(ours):
            yield from ("contradict" for one in ours if not _is_open(one))
            return
        pairs = list(zip(theirs, ours, strict=True))
    else:
        pairs = _aligned(theirs, ours, open_theirs, open_ours)
    for wanted, given in pairs:
        if not _is_open(wanted) and not _is_open(given):
            yield _verdict(wanted.lstrip("#?"), given, names)


def _aligned(
    theirs: list[str], ours: list[str], open_theirs: int | None, open_ours: int | None
) -> list[tuple[str, str]]:
    """The dimensions at the same distance from the start or the end."""
    first = min(len(axes) if place is None else place for axes, place in ((theirs, open_theirs), (ours, open_ours)))
    last = min(
        len(axes) if place is None else len(axes) - place - 1
        for axes, place in ((theirs, open_theirs), (ours, open_ours))
    )
    head = list(zip(theirs[:first], ours[:first], strict=True))
    return [*head, *(zip(theirs[len(theirs) - last :], ours[len(ours) - last :], strict=True) if last else ())]


def _verdict(theirs: str, ours: str, names: dict[str, str]) -> str:
    theirs = theirs.rpartition("=")[2]
    if ours.isdigit():
        return "agree" if theirs == ours else "contradict"
    if theirs.isdigit():
        return "weaker"
    return "agree" if names.setdefault(ours, theirs) == theirs else "contradict"
