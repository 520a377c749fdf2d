"""Runs 100 models of timm, 50 of torchvision and 60 of transformers with `shapecheck run`, on cpu and on fake.

    pip install timm torchvision transformers
    python -m benchmarks.zoo [--only NAME ...] [--library NAME ...] [--device DEVICE ...] [--judge]

models.toml lists the models. They have random weights, and nothing is downloaded. judged.toml has a verdict about each
finding. Exit code: 0 passed; 1 an unjudged or false finding, or fewer than 95 % of the models of a library ran; 2 could
not run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from benchmarks import store
from benchmarks.primer import verdicts
from benchmarks.ratios import Ratio
from benchmarks.zoo import report
from benchmarks.zoo.models import groups, names
from benchmarks.zoo.report import Package
from benchmarks.zoo.running import Ran, findings, has_run, run_models
from shapecheck.harness.cases.targets import TargetError
from shapecheck.harness.run_options import RunOptions
from shapecheck.project.parallel import available_cores

JUDGED = Path(__file__).with_name("judged.toml")
LEAST = 0.95
"""The share of each library's models that must run on each device."""


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    listed = [one for one in groups() if not options.library or one.library in options.library]
    if options.list:
        print(*names(listed), sep="\n")
        return 0
    out = sys.stderr if options.judge else sys.stdout
    settings = RunOptions(
        checks=tuple(options.check),
        skip=() if options.compile else ("compiled",),
        seconds=options.timeout,
        memory_bytes=options.memory * 1024**3,
    )
    runs: list[Ran] = []
    try:
        for device in options.device or ("cpu", "fake"):
            runs.append(run_models(listed, options.only, device, settings, options.jobs))
            print(f"{device}: {runs[-1].seconds:.0f} s", file=out, flush=True)
    except TargetError as error:
        print(error, file=sys.stderr)
        return 2
    judged = _judged(runs)
    libraries = list(dict.fromkeys(one.library for one in listed))
    print(report.table(runs, libraries), *report.not_run(runs), *report.attention(judged), sep="\n", file=out)
    print(report.totals(judged), file=out)
    if options.judge:
        print(*report.to_add(judged), sep="\n", end="")
    _keep(options, runs, judged)
    return int(not (all(one.passed for one in judged.values()) and _enough(runs, libraries)))


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these models, such as timm:resnet18")
    parser.add_argument("--library", nargs="+", default=[], metavar="NAME", help="the models of these libraries")
    parser.add_argument("--device", nargs="+", default=[], metavar="DEVICE", help="by default cpu and fake")
    parser.add_argument("--check", nargs="+", default=[], metavar="NAME", help="only these checks")
    parser.add_argument("--jobs", type=int, default=available_cores(), metavar="N", help="models at a time")
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS", help="of one model")
    parser.add_argument("--memory", type=int, default=6, metavar="GIB", help="of one model")
    parser.add_argument("--compile", action="store_true", help="also the check compiled, which takes long")
    parser.add_argument("--judge", action="store_true", help="print the entries that judged.toml lacks")
    parser.add_argument("--list", action="store_true", help="print the names, run none")
    store.add_option(parser)
    return parser.parse_args(argv)


def _judged(runs: Sequence[Ran]) -> dict[Package, verdicts.Judgement]:
    """The findings of each package with their verdicts; those of others have none."""
    known = verdicts.load(JUDGED)
    found = findings(runs)
    ran = {Package(name, _version(name)) for name in found}
    return {
        one: verdicts.judge(found[one.name], verdicts.about(one, known))
        for one in sorted(ran, key=lambda one: one.name)
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _enough(runs: Sequence[Ran], libraries: Sequence[str]) -> bool:
    return all(
        sum(map(has_run, ran.of(library))) >= LEAST * len(ran.of(library)) for ran in runs for library in libraries
    )


def _keep(options: argparse.Namespace, runs: Sequence[Ran], judged: dict[Package, verdicts.Judgement]) -> None:
    shares = {ran.device: sum(map(has_run, ran.cases)) / max(len(ran.cases), 1) for ran in runs}
    false = sum(len(one.with_verdict("false")) for one in judged.values())
    ratios = [Ratio(f"share of models that run on {device}", share, LEAST, True) for device, share in shares.items()]
    ratios.append(Ratio("false findings of `run` in models of libraries", false, 0))
    store.keep(options.save, "zoo", {"shares": shares}, ["torch", "timm", "torchvision", "transformers"], ratios)


if __name__ == "__main__":
    sys.exit(main())
