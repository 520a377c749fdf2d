"""Executes `shapecheck run`, from parsed arguments to the exit code."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from shapecheck.cli._errors import print_error, usage_failure
from shapecheck.cli._inference import run_inferred
from shapecheck.cli._inference_notes import note_on_inferred, note_on_unannotated
from shapecheck.cli._run_options import RunArguments, jobs_of, run_options_of
from shapecheck.cli._run_report import Destinations, destinations, earlier_report, show
from shapecheck.config import Config
from shapecheck.diagnostics import FailOn, Severity
from shapecheck.diagnostics.codes import FAILURES
from shapecheck.diagnostics.render import renderer
from shapecheck.harness.cases.configured import with_configured
from shapecheck.harness.cases.model import Target
from shapecheck.harness.cases.targets import Search, TargetError, find_targets
from shapecheck.harness.distributed import share_of
from shapecheck.harness.results import RunReport, Status
from shapecheck.harness.run import ExecutionPlan, RunError, RunResult, agreed, is_runnable, list_only, run
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.show.progress import Advance, progress
from shapecheck.project.ignore import rules_from_patterns

_OUTCOMES = {Status.FAILED: Severity.WARNING, Status.ENDED: Severity.ERROR}
"""The severity of such an outcome of a case; its findings have severities of their own."""


def run_all(named: Sequence[str], arguments: RunArguments, config: Config) -> int:
    """Run the command and return its exit code."""
    share = share_of()
    jobs = jobs_of(arguments, config.run, share)
    options = run_options_of(arguments, config.run, share, jobs)
    earlier = None if arguments.against is None else earlier_report(arguments.against)
    where = destinations(arguments.output, arguments.tensorboard) if share.is_first else Destinations()
    targets = _targets(named, arguments, config)
    for problem in where.problems(arguments.output_format or config.format):
        raise usage_failure(problem)
    folders = (Path.cwd(), config.root, config.root / "src")
    bar = _no_bar if arguments.quiet or not share.is_first else progress
    plan = ExecutionPlan(jobs, folders, tuple(sys.argv[1:]), share, bar)
    try:
        ran = _ran(targets, options, plan, arguments, config)
    except RunError as error:
        raise usage_failure(error) from None
    ran = replace(ran, report=replace(ran.report, earlier=earlier))
    code = exit_code(ran.report, ran.problems, arguments.fail_on)
    if share.is_first and _report(ran, arguments, config, where):
        code = 2
    return agreed(code, share)


def _ran(
    targets: Sequence[Target], options: RunOptions, plan: ExecutionPlan, arguments: RunArguments, config: Config
) -> RunResult:
    """The result of the run, with a note on what annotate writes if models have no annotations."""
    start = list_only if arguments.list_only else run
    if not arguments.infer:
        ran = start(targets, options, plan)
        if not arguments.quiet and plan.share.is_first:
            for line in note_on_unannotated(ran.report, targets, config):
                click.echo(line, err=True)
        return ran
    ran, results = run_inferred(targets, options, plan, config, start)
    if not arguments.quiet and plan.share.is_first:
        click.echo(note_on_inferred(results), err=True)
    return ran


def exit_code(report: RunReport, problems: Sequence[str], fail_on: FailOn) -> int:
    """0 no findings, 1 findings or cases that exceeded a limit, 2 something could not run."""
    diagnostics = report.all_diagnostics()
    if problems or any(one.code in FAILURES for one in diagnostics):
        return 2
    severities = [one.severity for one in diagnostics]
    severities += [_OUTCOMES[case.outcome] for case in report.cases if case.outcome in _OUTCOMES]
    return int(fail_on.meets(severities))


def _targets(named: Sequence[str], arguments: RunArguments, config: Config) -> list[Target]:
    rules = rules_from_patterns(config.root, config.exclude) + rules_from_patterns(Path.cwd(), arguments.exclude)
    wanted = named or [str(config.root / path) for path in config.paths] or [str(Path.cwd())]
    try:
        found = find_targets(wanted, Search(rules, config.respect_gitignore))
    except TargetError as error:
        raise usage_failure(error) from None
    return [replace(one, arguments=arguments.constructor_arguments) for one in with_configured(found, config)]


def _report(ran: RunResult, arguments: RunArguments, config: Config, where: Destinations) -> list[str]:
    """Print and write everything; return the errors of reports that could not be written."""
    form = arguments.output_format or config.format
    if arguments.list_only and form == "text":
        _print_list(ran.report)
    else:
        show(ran.report, form, arguments.verbose, arguments.quiet)
    if arguments.verbose and form == "text":
        _print_output(ran)
    sys.stdout.flush()
    lost = list(where.write(ran.report))
    for problem in [*ran.problems, *lost]:
        print_error(problem)
    if not ran.report.cases and not ran.report.diagnostics and not ran.problems:
        print_error("no models found: expected a class with a forward or a factory function")
    return lost


def _print_list(report: RunReport) -> None:
    for case in report.cases:
        reason = "" if is_runnable(case) else f"  not run: {case.detail}"
        click.echo(f"{case.path}:{case.line}: {case.name}{reason}")
    renderer("text")(report.diagnostics, sys.stdout, {})


def _print_output(ran: RunResult) -> None:
    """Print what the program itself printed during the run."""
    for name, text in ran.printed.items():
        click.echo(f"\nprinted by {name}:\n{text.rstrip()}")


def _no_bar(total: int) -> AbstractContextManager[Advance]:
    return progress(total, Console(file=io.StringIO()))
