"""The options of `shapecheck run`, merged from the command line and the configuration, and validated."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from shapecheck.cli._errors import did_you_mean
from shapecheck.config import DEVICE, RunConfig, parse_bytes
from shapecheck.diagnostics import FailOn
from shapecheck.harness import checks
from shapecheck.harness.distributed import Share
from shapecheck.harness.run_options import RunOptions
from shapecheck.harness.work.limits import share_of_memory
from shapecheck.project.parallel import available_cores

_WRAPPED, _RANKS = "wrapped", "ranks"
"""The checks that --wrap and --ranks enable."""
_DEFAULT_RANKS = 2


@dataclass(frozen=True, slots=True)
class RunArguments:
    """The command line; None where an option is not given and the configuration decides."""

    quiet: bool
    verbose: bool
    list_only: bool
    exclude: tuple[str, ...]
    output: tuple[Path, ...]
    checks: tuple[str, ...]
    skip: tuple[str, ...]
    fail_on: FailOn
    device: str | None = None
    output_format: str | None = None
    tensorboard: Path | None = None
    against: Path | None = None
    timeout: float | None = None
    memory: int | None = None
    jobs: int | None = None
    seed: int | None = None
    backend: str | None = None
    wrap: str | None = None
    ranks: int | None = None
    profile: bool | None = None
    timed: bool | None = None
    infer: bool = False
    constructor_arguments: Mapping[str, Any] = field(default_factory=dict)


def run_options_of(given: RunArguments, config: RunConfig, share: Share, jobs: int) -> RunOptions:
    """The options of every case; `jobs` is the number of cases that run in parallel."""
    memory = given.memory or config.memory
    checks, skip = _selected_checks(given, config)
    return RunOptions(
        device=given.device or config.device,
        seed=config.seed if given.seed is None else given.seed,
        checks=checks,
        skip=skip,
        seconds=given.timeout or config.timeout,
        memory_bytes=int(memory or share_of_memory(jobs * share.local_size)),
        backend=given.backend or config.backend,
        wrap=given.wrap or "",
        ranks=_ranks(given),
        profile=config.profile if given.profile is None else given.profile,
        timed=config.timed if given.timed is None else given.timed,
        threads=max(1, available_cores() // (jobs * share.local_size)),
    )


def _selected_checks(given: RunArguments, config: RunConfig) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The checks to run, empty for all, and those to skip; --wrap and --ranks add their own."""
    checks, skip = _checks(given.checks or config.checks), _checks((*given.skip, *config.skip))
    if _WRAPPED in checks and not given.wrap:
        raise click.UsageError(f"--check {_WRAPPED} requires --wrap ddp or --wrap fsdp")
    if _RANKS in checks and _ranks(given) < _DEFAULT_RANKS:
        raise click.UsageError(f"--check {_RANKS} requires --ranks {_DEFAULT_RANKS} or --wrap")
    added = [name for name, wanted in ((_WRAPPED, given.wrap), (_RANKS, _ranks(given))) if wanted]
    return ((*checks, *added) if checks else checks), skip


def _ranks(given: RunArguments) -> int:
    return given.ranks or (_DEFAULT_RANKS if given.wrap else 0)


def jobs_of(given: RunArguments, config: RunConfig, share: Share) -> int:
    """How many cases run in parallel: one on a GPU, where they would wait for each other; else one per core."""
    asked = given.jobs or config.jobs
    if asked:
        return asked
    on_gpu = (given.device or config.device).startswith("cuda")
    return 1 if on_gpu else max(1, available_cores() // share.local_size)


def names_of_checks() -> list[str]:
    """The names of all checks, without importing them: the files that register themselves in the table."""
    folder = Path(checks.__file__).parent
    return sorted(file.stem for file in folder.glob("*.py") if b"\n@check(" in file.read_bytes())


def _checks(asked: Iterable[str]) -> tuple[str, ...]:
    """The names in `asked`, each of which may be several, separated by commas."""
    known = names_of_checks()
    names = [name.strip().replace("-", "_") for word in asked for name in word.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise click.UsageError(f'unknown check "{name}"; {did_you_mean(name, known)}')
    return tuple(dict.fromkeys(names))


def read_device(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The callback of --device."""
    if value is not None and not DEVICE.fullmatch(value):
        raise click.BadParameter(f'expected cpu, cuda, cuda:N or fake, got "{value}"')
    return value


def read_arguments(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, Any]:
    """The callback of --arg: values are Python literals, otherwise strings; `config.layers=2` is one of a table."""
    found: dict[str, Any] = {}
    for text in value:
        path, equals, written = text.partition("=")
        *parents, name = path.split(".")
        if not equals or not all(part.isidentifier() for part in (*parents, name)):
            raise click.BadParameter(f'expected NAME=VALUE, got "{text}"')
        table = found
        for part in parents:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise click.BadParameter(f'"{path}" and "{part}" are both given')
        table[name] = _literal(written)
    return found


def _literal(written: str) -> Any:
    try:
        return ast.literal_eval(written)
    except (ValueError, SyntaxError):
        return written


def read_size(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """The callback of --memory."""
    try:
        return None if value is None else parse_bytes(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
