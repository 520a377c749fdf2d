"""`annotate --verify`: runs the models of the annotated files, which keep their content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from shapecheck.cli._errors import usage_failure
from shapecheck.cli._inference import ModelTrial
from shapecheck.config import Config
from shapecheck.diagnostics.counts import counted
from shapecheck.harness.cases.configured import with_configured
from shapecheck.harness.cases.model import Target
from shapecheck.harness.cases.targets import Search, find_targets
from shapecheck.harness.requirements import missing_requirements
from shapecheck.harness.run import ExecutionPlan, RunError, RunResult, is_runnable, run
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.work.limits import share_of_memory

_CHECKS = ("contract", "sweep")


def _run(targets: Sequence[Target], options: RunOptions, plan: ExecutionPlan) -> RunResult:
    try:
        return run(targets, options, plan)
    except RunError as error:
        raise usage_failure(error) from None


class Verification(ModelTrial):
    """Runs the models of annotated files at several sizes, with the configuration of `shapecheck run`."""

    def __init__(self, config: Config, jobs: int) -> None:
        missing = missing_requirements()
        if missing is not None:
            raise usage_failure(missing)
        memory = config.run.memory or share_of_memory(jobs)
        options = RunOptions(config.run.device, config.run.seed, _CHECKS, (), config.run.timeout, int(memory))
        plan = ExecutionPlan(jobs, (Path.cwd(), config.root, config.root / "src"))

        def targets(texts: Mapping[str, str]) -> list[Target]:
            # Other files may be scripts, which an import would execute.
            files = [path for path, text in texts.items() if "def forward" in text]
            return with_configured(find_targets(files, Search((), False)), config)

        super().__init__(targets, options, plan, _run)

    def summary(self) -> Iterator[str]:
        """What was run."""
        cases = self.last[-1].report.cases if self.last else ()
        ran = [case for case in cases if is_runnable(case)]
        yield f"Ran {counted(len(ran), 'model')} to verify the annotations"
        if len(ran) < len(cases):
            yield f"Could not run {counted(len(cases) - len(ran), 'model')}: see `shapecheck run --infer`"
