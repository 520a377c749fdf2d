"""Looks for bugs that public repositories have fixed: found before the fix, and silent after it?

    python -m benchmarks.real_bugs [DIRECTORY] [--only NAME ...] [--package] [--jobs N] [--json FILE]

Both commits of each bug of real_bugs.toml are fetched into DIRECTORY. They are only read: nothing of them is executed.
A missed bug fails nothing. Exit code: 0 passed; 1 a finding at a fixed commit, or an internal error; 2 could not run;
3 a repository cannot be reached.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import measure, store
from benchmarks.check_runs.checking import CheckFailed
from benchmarks.check_runs.revisions import checked_out
from benchmarks.check_runs.stored import Checks
from benchmarks.primer.errors import Unreachable
from benchmarks.primer.fetching import Fetcher
from benchmarks.ratios import Ratio
from benchmarks.real_bugs import report
from benchmarks.real_bugs.bugs import BUGS, Bug, listed
from benchmarks.real_bugs.options import parsed
from benchmarks.real_bugs.running import Checked, Missing, Work, check_all


def main(argv: Sequence[str] | None = None, repository: Path = measure.ROOT, file: Path = BUGS) -> int:
    bugs = listed(file)
    options = parsed(__doc__, argv, bugs)
    chosen = [one for one in bugs if one.name in options.only or not options.only]
    if options.list:
        print(measure.table([("bug", "repository", "symptom", "kind"), *map(_row, chosen)]))
        return 0
    try:
        return _run(options, repository, chosen)
    except CheckFailed as error:
        print(error, file=sys.stderr)
    return 2


def _row(bug: Bug) -> tuple[str, ...]:
    return bug.name, bug.repository, bug.symptom, bug.kind


def _run(options: argparse.Namespace, repository: Path, chosen: Sequence[Bug]) -> int:
    checked: list[Checked] = []
    missing: list[Missing] = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        with checked_out(repository, str(repository), scratch) as head:
            work = Work(Fetcher(options.directory), Checks(scratch, None, stats=False), head, options.package)
            for one in check_all(chosen, work, options.jobs):
                if isinstance(one, Missing):
                    missing.append(one)
                else:
                    checked.append(one)
                    print(*report.lines(one), sep="\n", flush=True)
    print(*report.totals(checked), sep="\n")
    if options.json:
        options.json.write_text(json.dumps([report.as_data(one) for one in checked], indent=1) + "\n")
    _keep(options.save, checked)
    print(*report.unavailable(missing), sep="", end="", file=sys.stderr)
    return _status(checked, missing)


def _status(checked: Sequence[Checked], missing: Sequence[Missing]) -> int:
    if any(one.judgement.after or one.judgement.internal for one in checked):
        return 1
    if any(not isinstance(one.error, Unreachable) for one in missing):
        return 2
    return 3 if missing else 0


def _keep(file: Path | None, checked: Sequence[Checked]) -> None:
    false = sum(len(one.judgement.after) for one in checked)
    what = "findings of `check` where a bug of a public repository is fixed"
    figures = {"found": sum(one.judgement.found for one in checked), "bugs": len(checked)}
    store.keep(file, "real_bugs", figures, ["shapecheck"], [Ratio(what, false, 0)])


if __name__ == "__main__":
    sys.exit(main())
