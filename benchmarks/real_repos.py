"""What `shapecheck fix` does to real repositories; what it is worth in calls of type Any; what new errors it brings.

    python -m benchmarks.real_repos DIRECTORY... [--any] [--checkers mypy,pyright,pyrefly,ty] [--limit N] [--json OUT]

Each directory is copied, and only the copies are touched. Review every new error: `--json` writes each with
its line.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import checkers, measure, store, trees
from benchmarks.any_variants import AnyCounter
from benchmarks.ratios import Ratio

_TALLY_DONE = {"seen", "added", "updated", "removed", "up to date"}


@dataclass(slots=True)
class Outcome:
    """Everything that was found about one repository."""

    name: str
    files: int = 0
    summary: dict[str, Any] = field(default_factory=dict)
    status: int = 0
    seconds: float = 0.0
    second_run: list[str] = field(default_factory=list)
    """Files that a second run changes, or that `--check` says it would."""
    broken: list[str] = field(default_factory=list)
    left: list[dict[str, Any]] = field(default_factory=list)
    any_calls: dict[str, dict[str, int]] = field(default_factory=dict)
    checkers: dict[str, dict[str, Any]] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)


def main() -> None:
    arguments = _arguments()
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        counter = AnyCounter(arguments.cache or scratch / "caches", scratch) if arguments.any else None
        for source in arguments.folders:
            outcome = _repository(source.resolve(), scratch, arguments, counter)
            outcomes.append(outcome)
            _show(outcome)
            if arguments.json:
                arguments.json.write_text(json.dumps([_as_dict(one) for one in outcomes], indent=2) + "\n")
    print(measure.table([_HEAD, *map(_row, outcomes)]))
    figures = {"repositories": [_as_dict(one, short=True) for one in outcomes]}
    packages = ["shapecheck", "torch", "mypy", "pyright", "pyrefly", "ty"]
    ratios = [
        Ratio("files that a second `fix` changes", sum(len(one.second_run) for one in outcomes), 0),
        Ratio("files that do not compile after `fix`", sum(len(one.broken) for one in outcomes), 0),
    ]
    store.keep(arguments.save, "real_repos", figures, packages, ratios)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIRECTORY")
    parser.add_argument("--any", action="store_true", help="count calls of type Any: plain, fix, stub, plugin")
    parser.add_argument("--checkers", default="", help="checkers whose errors to compare before and after")
    parser.add_argument("--limit", type=int, help="maximum number of files for the checkers, changed ones first")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, help="directory in which to keep mypy's caches of torch")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all results to this file")
    store.add_option(parser)
    arguments = parser.parse_args()
    arguments.checkers = [name for name in arguments.checkers.split(",") if name]
    if unknown := set(arguments.checkers) - set(checkers.CHECKERS):
        parser.error(f"unknown checker {', '.join(sorted(unknown))}; there are {', '.join(checkers.CHECKERS)}")
    return arguments


def _repository(source: Path, scratch: Path, arguments: argparse.Namespace, counter: AnyCounter | None) -> Outcome:
    outcome = Outcome(source.name)
    before = scratch / source.name / "before"
    after = scratch / source.name / "after"
    trees.copy_sources(source, before)
    trees.copy_sources(source, after)
    _fix(outcome, before, after, arguments.jobs)
    files = _files_for_checkers(before, after, arguments.limit)
    if counter:
        _attempt(outcome, lambda: outcome.any_calls.update(counter.count(before, after, files)))
    for checker in arguments.checkers:
        _attempt(outcome, lambda name=checker: _compare(outcome, name, before, after, files))  # type: ignore[misc]
    return outcome


def _attempt(outcome: Outcome, action: Callable[[], None]) -> None:
    """One checker that gives up does not end the run; it is told."""
    try:
        action()
    except (checkers.CheckerError, subprocess.SubprocessError) as error:
        outcome.trouble.append(str(error))


def _fix(outcome: Outcome, before: Path, after: Path, jobs: int) -> None:
    old = trees.digests(before)
    began = time.perf_counter()
    report, outcome.status = _shapecheck_fix(after, jobs, outcome)
    outcome.seconds = time.perf_counter() - began
    outcome.files = len(old)
    outcome.summary = report.get("summary", {})
    outcome.left = report.get("diagnostics", [])
    first = trees.digests(after)
    outcome.broken = sorted(trees.broken(after) - trees.broken(before))
    report, _ = _shapecheck_fix(after, jobs, outcome, "--check")
    planned = set(report.get("changed", []))
    _shapecheck_fix(after, jobs, outcome)
    outcome.second_run = sorted({*planned, *trees.changed(first, trees.digests(after))})


def _shapecheck_fix(root: Path, jobs: int, outcome: Outcome, *more: str) -> tuple[dict[str, Any], int]:
    argv = [*measure.SHAPECHECK, "fix", "--format", "json", "--jobs", str(jobs), *more, "."]
    env = measure.environment()
    done = subprocess.run(argv, cwd=root, env=env, capture_output=True, text=True, check=False)
    if done.stderr.strip():
        outcome.trouble.append(done.stderr.strip()[-3000:])
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        outcome.trouble.append(f"no report, exit {done.returncode}")
        return {}, done.returncode
    return report, done.returncode


def _files_for_checkers(before: Path, after: Path, limit: int | None) -> list[str]:
    """All files, or at most `limit`: changed ones first, spread evenly over the tree."""
    files = [name for name in trees.python_files(before) if trees.importable(name)]
    if limit is None or len(files) <= limit:
        return files
    changed = set(trees.changed(trees.digests(before), trees.digests(after)))
    wanted = [name for name in files if name in changed] or files
    step = max(len(wanted) / limit, 1.0)
    return [wanted[int(index * step)] for index in range(min(limit, len(wanted)))]


def _compare(outcome: Outcome, checker: str, before: Path, after: Path, files: Sequence[str]) -> None:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        old = _check(checker, before, files, Path(folder, "cache"))
        new = _check(checker, after, files, Path(folder, "cache"))
    outcome.checkers[checker] = {
        "files": len(files),
        "before": len(old),
        "after": len(new),
        "new": [checkers.with_source(finding, after) for finding in checkers.more(old, new)],
        "gone": [checkers.with_source(finding, before) for finding in checkers.more(new, old)],
        "seconds": round(time.perf_counter() - began, 1),
    }


def _check(checker: str, tree: Path, files: Sequence[str], cache: Path) -> list[checkers.Finding]:
    """Both trees are checked at one path, so that messages that name it agree and mypy's cache serves both."""
    place = tree.parent / "checked"
    tree.rename(place)
    try:
        return checkers.check(checker, place, files, cache)
    finally:
        place.rename(tree)


def _show(outcome: Outcome) -> None:
    print(f"== {outcome.name}: {outcome.files} files, exit {outcome.status}, {outcome.seconds:.1f} s")
    for kind, figures in outcome.summary.items():
        if figures:
            print(f"  {kind}: {_in_words(figures)}")
    print(f"  changed by a second run: {len(outcome.second_run)} {outcome.second_run[:5] or ''}")
    print(f"  do not compile any more: {len(outcome.broken)} {outcome.broken[:5] or ''}")
    for variant, count in outcome.any_calls.items():
        print(f"  mypy, {variant}: {_in_words(count)}")
    for name, result in outcome.checkers.items():
        counts = Counter(one["code"] for one in result["new"])
        print(
            f"  {name}: {result['before']} errors before, {result['after']} after in {result['files']} files;"
            f" {len(result['gone'])} gone, {len(result['new'])} new: {_in_words(counts)} ({result['seconds']} s)"
        )
    for line in outcome.trouble:
        print(f"  TROUBLE: {line}")
    sys.stdout.flush()


def _in_words(figures: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in figures.items()) or "none"


_HEAD = (
    "repository",
    "files",
    "classes",
    "inserted",
    "skipped",
    "2nd run",
    "broken",
    "Any none/fix/stub/plugin",
    "new",
)


def _row(outcome: Outcome) -> tuple[object, ...]:
    classes = outcome.summary.get("classes", {})
    skipped = sum(count for name, count in classes.items() if name not in _TALLY_DONE)
    calls = "/".join(
        str(outcome.any_calls[variant].get("module_any", "-")) if variant in outcome.any_calls else "-"
        for variant in ("none", "fix", "stub", "plugin")
    )
    new = ", ".join(f"{name} {len(result['new'])}" for name, result in outcome.checkers.items())
    added = classes.get("added", 0)
    seen = classes.get("seen", 0)
    second = len(outcome.second_run)
    return outcome.name, outcome.files, seen, added, skipped, second, len(outcome.broken), calls, new


def _as_dict(outcome: Outcome, short: bool = False) -> dict[str, Any]:
    fields = {name: getattr(outcome, name) for name in Outcome.__dataclass_fields__}
    if short:
        fields["left"] = len(outcome.left)
        fields["trouble"] = len(outcome.trouble)
        fields["checkers"] = {
            name: {**result, "new": len(result["new"]), "gone": len(result["gone"])}
            for name, result in outcome.checkers.items()
        }
    return fields


if __name__ == "__main__":
    main()
