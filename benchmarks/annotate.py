"""Measures `shapecheck annotate`: how many forwards get shapes, and how many annotations of authors it finds again.

    python -m benchmarks.annotate --coverage NAME=PATH [...]    shapes for all tensors, and without `...`
        [--causes]                                              what the other forwards lack
    python -m benchmarks.annotate --authors NAME=PATH [...]     strips jaxtyping annotations, annotates, compares
        [--evidence source runs both]                           from the source, from runs of the models, from both
    python -m benchmarks.annotate --acceptance NAME=PATH [...]  annotates a copy, and runs other tools and a forward
    python -m benchmarks.annotate --infer NAME=PATH [...]       the forwards that `run --infer` runs
    python -m benchmarks.annotate --planted NAME=PATH [...]     plants bugs, which check and `run --infer` look for

Dimensions are compared up to renaming. What is written agrees with the author, is weaker (a name for what the author
fixes as a number), or contradicts. Precision is the share of what agrees; recall is the share of the author's
dimensions that are found again.
"""

from __future__ import annotations

import argparse
import ast
import platform
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from benchmarks.annotate_acceptance import acceptance
from benchmarks.annotate_authors import Agreement, compare
from benchmarks.annotate_infer import Ran, inferred_runs, is_concrete
from benchmarks.annotate_planted import Planted, Planting, planted
from benchmarks.tensor_parameters import is_no_tensor
from shapecheck.annotate.collecting import CallCollector, joined
from shapecheck.annotate.model import AnnotateOptions, FunctionKey
from shapecheck.annotate.planning import FunctionNode, functions_of
from shapecheck.annotate.reusing import Surroundings
from shapecheck.annotate.run import run
from shapecheck.fix.optional import none_by_default
from shapecheck.project.files import find_files
from shapecheck.static.observing.signature_facts import CallFacts, Kind

_FORWARD = "forward"
_TENSOR = re.compile(r"\bTensor\b")
EVIDENCE = ("source", "runs", "both")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coverage", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--authors", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--acceptance", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--infer", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--planted", nargs="*", default=[], metavar="NAME=PATH")
    parser.add_argument("--bugs", type=int, default=10, help="bugs planted in each repository")
    parser.add_argument("--seed", type=int, default=0, help="the order in which bugs are planted")
    parser.add_argument(
        "--parts", nargs="+", choices=Planting.parts, default=Planting.parts, help="what looks for bugs"
    )
    parser.add_argument("--libraries", nargs="*", default=[], type=Path, help="folders with the libraries of the code")
    parser.add_argument("--evidence", nargs="+", choices=EVIDENCE, default=["source"])
    parser.add_argument("--causes", action="store_true", help="also count why forwards have no shapes, or `...`")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="list what is missing, and what contradicts")
    arguments = parser.parse_args()
    _print_coverage(arguments)
    _print_runs(arguments)
    _print_planted(arguments)
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


def _print_coverage(arguments: argparse.Namespace) -> None:
    total = Coverage()
    for name, path in _named(arguments.coverage):
        found = coverage(path, arguments.jobs, arguments.libraries, verbose=arguments.verbose)
        print(f"{name}: {found}", flush=True)
        total.add(found)
    if arguments.coverage:
        print(f"all: {total}")
    if arguments.causes:
        print(*(f"{count:4} {cause}" for cause, count in total.causes.most_common()), sep="\n")


def _print_runs(arguments: argparse.Namespace) -> None:
    total = Ran()
    for name, path in _named(arguments.infer):
        found = inferred_runs(path, arguments.libraries, arguments.jobs)
        print(f"{name}: {found}", *(found.missing() if arguments.verbose else ()), sep="\n", flush=True)
        total.add(found)
    if arguments.infer:
        print(f"all: {total}")


def _print_planted(arguments: argparse.Namespace) -> None:
    total, planting = Planted(), Planting(arguments.bugs, arguments.seed, arguments.parts)
    for name, path in _named(arguments.planted):
        found = planted(name, path, arguments.libraries, planting)
        print(f"{name}: {found}", *(found.missed if arguments.verbose else ()), sep="\n", flush=True)
        total.add(found)
    if arguments.planted:
        print(f"all: {total}")


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
    causes: Counter[str] = field(default_factory=Counter)
    """The first reason of each forward that is not complete, or has `...`."""

    def add(self, other: Coverage) -> None:
        self.forwards += other.forwards
        self.complete += other.complete
        self.ranked += other.ranked
        self.dropped += other.dropped
        self.causes.update(other.causes)

    def __str__(self) -> str:
        total = max(self.forwards, 1)
        shares = f"{self.complete / total:.0%} complete, {self.ranked / total:.0%} without `...`"
        return f"{self.forwards} forwards, {shares}, {self.dropped} dropped"


def coverage(path: Path, jobs: int, libraries: Sequence[Path], *, verbose: bool) -> Coverage:
    """The shares for the files under a path; nothing is written."""
    files = find_files([path], (), True).files
    options = AnnotateOptions(only=frozenset((_FORWARD,)), write=False)
    surroundings = Surroundings([path.parent], libraries, jobs)
    results = run(files, surroundings, options)
    reached = joined(CallCollector(surroundings).collect(files, {}))
    written = {(note.function, note.name): note.text for one in results for note in one.written}
    found = Coverage(dropped=sum(len(one.dropped) for one in results))
    refused = {note.function: "a check contradicts it" for one in results for note in one.dropped}
    refused |= {note.function: "an annotation of the author is wrong" for one in results for note in one.skipped}
    for key, observed in reached.items():
        if key.name.rpartition(".")[2] != _FORWARD or "." not in key.name:
            continue
        facts = observed.required or observed.called
        node = _node(key)
        if facts is None or node is None or not is_concrete(node):
            continue
        wanted = list(_tensors(node, facts))
        if not wanted:
            continue
        texts = [written.get((key, name)) for name in wanted]
        found.forwards += 1
        known = [text for text in texts if text is not None]
        is_complete = len(known) == len(texts)
        found.complete += is_complete
        is_ranked = is_complete and not any("..." in text for text in known)
        found.ranked += is_ranked
        if is_ranked:
            continue
        found.causes[_cause(node, wanted, texts, refused.get(key, ""))] += 1
        if verbose:
            print(f"  {key.path}:{key.line}: {key.name}: {_lacking(wanted, texts)}")
    return found


def _cause(node: FunctionNode, wanted: Sequence[str], texts: Sequence[str | None], refused: str) -> str:
    """What a forward lacks: the result is named last, as it follows from the parameters."""
    unknown = [name for name, text in zip(wanted, texts, strict=True) if text is None]
    lacking = unknown or [name for name, text in zip(wanted, texts, strict=True) if text is not None and "..." in text]
    title = "nothing is known about" if unknown else "`...` in"
    optional = none_by_default(node.args)
    kinds = {"an optional parameter" if name in optional else "a parameter" for name in lacking if name != "return"}
    what = " and ".join(sorted(kinds)) or "the result alone"
    return f"{title} {what}" + (f": {refused}" if refused else "")


def _lacking(wanted: Sequence[str], texts: Sequence[str | None]) -> str:
    """The tensors of a signature that have no annotation, and those with `...`."""
    missing = [name for name, text in zip(wanted, texts, strict=True) if text is None]
    open_ones = [name for name, text in zip(wanted, texts, strict=True) if text is not None and "..." in text]
    groups = (("missing", missing), ("with ...", open_ones))
    return "; ".join(f"{title}: {', '.join(names)}" for title, names in groups if names)


def _node(key: FunctionKey) -> FunctionNode | None:
    tree = ast.parse(Path(key.path).read_text(encoding="utf-8"))
    return next((one for one, name in functions_of(tree).items() if name == key.name and one.lineno == key.line), None)


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


if __name__ == "__main__":
    main()
