"""Checks pinned public packages and compares each finding with its recorded verdict.

    python -m benchmarks.primer [DIRECTORY] [--only NAME ... | --quick] [--against REV] [--jobs N]

The packages of packages.toml are downloaded into DIRECTORY and verified. They are only read: nothing of them is
executed. judged.toml has a verdict about each finding. Exit code: 0 passed; 1 an unjudged or false finding, or an
internal error; 2 could not run; 3 the package index or a repository cannot be reached.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from benchmarks import measure, store
from benchmarks.check_runs.checking import CheckFailed
from benchmarks.check_runs.revisions import RevisionError, checked_out
from benchmarks.check_runs.stored import Checks
from benchmarks.primer import report, verdicts
from benchmarks.primer.errors import Unreachable
from benchmarks.primer.fetching import Fetcher
from benchmarks.primer.options import parsed
from benchmarks.primer.packages import PINS, Package, pinned
from benchmarks.primer.running import Checked, Missing, Work, check_all
from benchmarks.ratios import Ratio


def main(
    argv: Sequence[str] | None = None,
    repository: Path = measure.ROOT,
    pins: Path = PINS,
    judged: Path = verdicts.JUDGED,
) -> int:
    packages = pinned(pins)
    options = parsed(__doc__, argv, packages)
    chosen = [one for one in packages if one.name in options.only or (one.quick if options.quick else not options.only)]
    if options.list:
        print(_listing(chosen))
        return 0
    try:
        return _run(options, repository, chosen, verdicts.load(judged))
    except msgspec.DecodeError as error:
        print(f"{judged.name}: {error}", file=sys.stderr)
    except (CheckFailed, RevisionError) as error:
        print(error, file=sys.stderr)
    return 2


def _listing(packages: Sequence[Package]) -> str:
    rows = [(one.name, one.version, one.kind, one.field, "quick" if one.quick else "") for one in packages]
    return measure.table([("package", "version", "kind", "field", "set"), *rows])


def _run(
    options: argparse.Namespace, repository: Path, chosen: Sequence[Package], known: list[verdicts.Verdict]
) -> int:
    out = sys.stderr if options.judge else sys.stdout
    checked: list[Checked] = []
    missing: list[Missing] = []
    print(report.head(), file=out, flush=True)
    with _prepared(options, repository, known) as work:
        for one in check_all(chosen, work, options.jobs):
            if isinstance(one, Missing):
                missing.append(one)
            else:
                checked.append(one)
                print("\n".join([report.row(one), *report.changes(one, known)]), file=out, flush=True)
    print(*report.attention(checked), *report.totals(checked, options.against), sep="\n", file=out)
    _print_entries(options, checked)
    if options.json:
        options.json.write_text(json.dumps([report.as_data(one) for one in checked], indent=1) + "\n")
    _keep(options.save, checked)
    print(*report.unavailable(missing), sep="", end="", file=sys.stderr)
    return _status(checked, missing)


def _print_entries(options: argparse.Namespace, checked: Sequence[Checked]) -> None:
    entries = report.to_add(checked)
    if entries and not options.judge:
        print(f"\nJudge each unjudged finding in the source below {options.directory}, and add to judged.toml:\n")
    print(*entries, sep="\n", end="")


def _status(checked: Sequence[Checked], missing: Sequence[Missing]) -> int:
    if not all(one.judgement.passed for one in checked):
        return 1
    if any(not isinstance(one.error, Unreachable) for one in missing):
        return 2
    return 3 if missing else 0


@contextmanager
def _prepared(options: argparse.Namespace, repository: Path, known: list[verdicts.Verdict]) -> Iterator[Work]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        scratch = Path(folder).resolve()
        head = stack.enter_context(checked_out(repository, str(repository), scratch))
        base = stack.enter_context(checked_out(repository, options.against, scratch)) if options.against else None
        yield Work(Fetcher(options.directory), Checks(scratch, options.results, stats=options.stats), head, base, known)


def _keep(file: Path | None, checked: Sequence[Checked]) -> None:
    judgements = [one.judgement for one in checked]
    counts = {
        "false findings of `check` in public packages": sum(len(one.with_verdict("false")) for one in judgements),
        "unjudged findings": sum(len(one.unjudged) for one in judgements),
        "internal errors": sum(len(one.internal) for one in judgements),
    }
    ratios = [Ratio(name, count, 0) for name, count in counts.items()]
    store.keep(file, "primer", {"packages": [report.figures(one) for one in checked]}, ["shapecheck"], ratios)


if __name__ == "__main__":
    sys.exit(main())
