"""Runs models with inferred annotations: for `shapecheck run --infer`, and for `annotate --verify`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from shapecheck.annotate.model import AnnotateOptions, AnnotateResult, FunctionKey
from shapecheck.annotate.reusing import Surroundings
from shapecheck.annotate.run import run as annotate
from shapecheck.config import Config
from shapecheck.harness.cases.model import Target
from shapecheck.harness.results import RunReport, Status
from shapecheck.harness.run import ExecutionPlan, RunResult
from shapecheck.harness.run_options import RunOptions

Runner = Callable[[Sequence[Target], RunOptions, ExecutionPlan], RunResult]
_CODES = ("shape-mismatch", "dtype-mismatch")
_BY_ANNOTATION = re.compile(r"(?P<function>[\w.]+)\((?P<place>\w+)[^)]*\): (?P<why>.*?)(?: \(with .*)?")
"""The message about a value that does not match an annotation."""


@dataclass
class ModelTrial:
    """Runs targets with the annotations of other texts, and finds which of these the runs contradict."""

    targets: Callable[[Mapping[str, str]], Sequence[Target]]
    """The targets for some annotated files."""
    options: RunOptions
    plan: ExecutionPlan
    run: Runner
    last: list[RunResult] = field(default_factory=list)
    """The results of all rounds."""
    inferred: set[str] = field(default_factory=set)
    """The functions with annotations of this or an earlier round: a later pass writes those that follow from them."""

    def __call__(
        self, texts: Mapping[str, str], written: Collection[tuple[FunctionKey, str]]
    ) -> list[tuple[FunctionKey, str, str]]:
        """Runs the targets; returns the annotations that a run contradicts, with the reason."""
        targets = [replace(one, annotated=dict(texts), infers=True) for one in self.targets(texts)]
        self.inferred |= {key.name for key, _ in written}
        self.last.append(self.run(targets, replace(self.options, inferred=frozenset(self.inferred)), self.plan))
        return list(_contradicted(self.last[-1].report, written))


def _contradicted(
    report: RunReport, written: Collection[tuple[FunctionKey, str]]
) -> Iterator[tuple[FunctionKey, str, str]]:
    passed = {case.name.rpartition(":")[2] for case in report.cases if case.outcome is Status.PASSED}
    for case in report.cases:
        for one in case.diagnostics:
            match = _BY_ANNOTATION.fullmatch(one.message) if one.code in _CODES else None
            if match and case.outcome is Status.UNBUILT and match["function"].partition(".")[0] in passed:
                continue  # the inputs of a model that accepts none may be wrong; the inner one accepts others
            keys = [key for key, name in written if match and (key.name, name) == (match["function"], match["place"])]
            for key in [key for key in keys if key.path == one.path] or keys:
                yield key, match["place"], f"{match['why']}, in a run of {case.name}"  # type: ignore[index]


def run_inferred(
    targets: Sequence[Target], options: RunOptions, plan: ExecutionPlan, config: Config, run: Runner
) -> tuple[RunResult, list[AnnotateResult]]:
    """The run with inferred annotations of forward, and these annotations."""
    trial = ModelTrial(lambda _: targets, options, plan, run)
    results = infer(targets, config, plan.jobs, replace(AnnotateOptions(), trial=trial))
    return trial.last[-1], results


def infer(targets: Sequence[Target], config: Config, jobs: int, options: AnnotateOptions) -> list[AnnotateResult]:
    """What annotate would write for the forwards in the files of targets; nothing is written."""
    files = list(dict.fromkeys(target.file for target in targets))
    roots = dict.fromkeys([config.root, config.root / "src", Path.cwd(), *(target.root for target in targets)])
    options = replace(options, only=frozenset(("forward",)), write=False, noqa=False)
    return annotate(files, Surroundings(list(roots), (), jobs), options)
