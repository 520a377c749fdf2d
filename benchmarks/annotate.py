"""Measures `shapecheck annotate`: how many forwards get shapes, and how many annotations of authors it finds again.

    python -m benchmarks.annotate --coverage NAME=PATH [...]    shapes for all tensors, and without `...`
    python -m benchmarks.annotate --authors NAME=PATH [...]     strips jaxtyping annotations, annotates, compares
        [--evidence source runs both]                           from the source, from runs of the models, from both
    python -m benchmarks.annotate --acceptance NAME=PATH [...]  annotates a copy, and runs other tools and a forward

Dimensions are compared up to renaming. What is written agrees with the author, is weaker (a name for what the author
fixes as a number), or contradicts. Precision is the share of what agrees; recall is the share of the author's
dimensions that are found again.
"""

from __future__ import annotations

import argparse
import ast
import platform
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from benchmarks.annotate_acceptance import acceptance
from benchmarks.annotate_runs import recorded_runs, written_from_runs
from benchmarks.tensor_parameters import is_no_tensor
from shapecheck.annotate.collecting import collect, joined
from shapecheck.annotate.model import AnnotateOptions, FunctionKey, Written
from shapecheck.annotate.planning import FunctionNode, functions_of
from shapecheck.annotate.run import Surroundings, run
from shapecheck.project.files import display_path, find_files
from shapecheck.record.store import RecordedFunction
from shapecheck.static.observing.signature_facts import CallFacts, Kind

_AXES = re.compile(r"\w+\[[\w.]+, ?([\"'])(?P<axes>[^\"']*)\1\]")
_FORWARD = "forward"
_TENSOR = re.compile(r"\bTensor\b")
EVIDENCE = ("source", "runs", "both")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coverage", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--authors", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--acceptance", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--evidence", nargs="+", choices=EVIDENCE, default=["source"])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="list what is missing, and what contradicts")
    arguments = parser.parse_args()
    total = Coverage()
    for name, path in _named(arguments.coverage):
        found = coverage(path, arguments.jobs, verbose=arguments.verbose)
        print(f"{name}: {found}", flush=True)
        total.add(found)
    if arguments.coverage:
        print(f"all: {total}")
    agreements = {evidence: Agreement() for evidence in arguments.evidence}
    for name, path in _named(arguments.authors):
        for evidence, result in compare(path, arguments.jobs, arguments.evidence, verbose=arguments.verbose):
            print(f"{name}, from {evidence}: {result}", flush=True)
            agreements[evidence].add(result)
    for evidence, agreement in agreements.items():
        if arguments.authors:
            print(f"all, from {evidence}: {agreement}")
    for name, path in _named(arguments.acceptance):
        print("\n".join(acceptance(name, path, arguments.jobs).lines(name)), flush=True)
    if arguments.authors:
        print(f"RightTyper: {righttyper()}")


def righttyper() -> str:
    """The version of the only other tool that infers shapes, which this benchmark does not run."""
    try:
        return f"version {metadata.version('righttyper')} is installed; it is not compared yet"
    except metadata.PackageNotFoundError:
        return f"not compared: it is not installed, and requires Python 3.12 (this is {platform.python_version()})"


def _named(given: Sequence[str]) -> Iterator[tuple[str, Path]]:
    for one in given:
        name, _, path = one.rpartition("=")
        yield name or path, Path(path)


# -- forwards with shapes


@dataclass
class Coverage:
    """Forwards that the analysis reaches."""

    forwards: int = 0
    complete: int = 0
    """With a shape for each tensor, arguments and result."""
    ranked: int = 0
    """Those without `...`."""
    dropped: int = 0

    def add(self, other: Coverage) -> None:
        self.forwards += other.forwards
        self.complete += other.complete
        self.ranked += other.ranked
        self.dropped += other.dropped

    def __str__(self) -> str:
        total = max(self.forwards, 1)
        shares = f"{self.complete / total:.0%} complete, {self.ranked / total:.0%} without `...`"
        return f"{self.forwards} forwards, {shares}, {self.dropped} dropped"


def coverage(path: Path, jobs: int, *, verbose: bool) -> Coverage:
    """The shares for the files under a path; nothing is written."""
    files = find_files([path], (), True).files
    options = AnnotateOptions(only=frozenset((_FORWARD,)), write=False)
    results = run(files, Surroundings([path.parent], jobs=jobs), options)
    reached = joined(list(collect(files, [path.parent], (), jobs, {})))
    written = {(note.function, note.name): note.text for one in results for note in one.written}
    found = Coverage(dropped=sum(len(one.dropped) for one in results))
    for key, observed in reached.items():
        if key.name.rpartition(".")[2] != _FORWARD or "." not in key.name:
            continue
        facts = observed.required or observed.called
        node = _node(key)
        if facts is None or node is None or not _is_concrete(node):
            continue
        wanted = list(_tensors(node, facts))
        if not wanted:
            continue
        texts = [written.get((key, name)) for name in wanted]
        found.forwards += 1
        known = [text for text in texts if text is not None]
        is_complete = len(known) == len(texts)
        found.complete += is_complete
        found.ranked += is_complete and not any("..." in text for text in known)
        if verbose and not (is_complete and not any("..." in text for text in known)):
            print(f"  {key.path}:{key.line}: {key.name}: {_lacking(wanted, texts)}")
    return found


def _lacking(wanted: Sequence[str], texts: Sequence[str | None]) -> str:
    """The tensors of a signature that have no annotation, and those with `...`."""
    missing = [name for name, text in zip(wanted, texts, strict=True) if text is None]
    open_ones = [name for name, text in zip(wanted, texts, strict=True) if text is not None and "..." in text]
    groups = (("missing", missing), ("with ...", open_ones))
    return "; ".join(f"{title}: {', '.join(names)}" for title, names in groups if names)


def _node(key: FunctionKey) -> FunctionNode | None:
    tree = ast.parse(Path(key.path).read_text(encoding="utf-8"))
    return next((one for one, name in functions_of(tree).items() if name == key.name and one.lineno == key.line), None)


def _is_concrete(node: FunctionNode) -> bool:
    """Whether a forward does more than to raise an exception."""
    return any(not isinstance(one, (ast.Raise, ast.Expr, ast.Pass)) for one in node.body)


def _tensors(node: FunctionNode, facts: CallFacts) -> Iterator[str]:
    """The parameters that may be tensors, or tuples or lists of tensors, and the result if it may be."""
    others = {name for name, one in facts.arguments.items() if one.kind is Kind.OTHER}
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults = [None] * (len(positional) - len(spec.defaults)) + list(spec.defaults)
    pairs = [*zip(positional, defaults, strict=True), *zip(spec.kwonlyargs, spec.kw_defaults, strict=True)]
    for one, default in pairs[1:]:
        annotation = "" if one.annotation is None else ast.unparse(one.annotation)
        is_none = default is None or (isinstance(default, ast.Constant) and default.value is None)
        if one.arg in others or not is_none or (annotation and not _TENSOR.search(annotation)):
            continue
        if annotation or not is_no_tensor(node, one.arg):
            yield one.arg
    if facts.result.kind is not Kind.OTHER and any(
        isinstance(one, ast.Return) and one.value is not None for one in ast.walk(node)
    ):
        yield "return"


# -- annotations of authors


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


if __name__ == "__main__":
    main()
