"""Runs jaxtyping's own test suite against `shapecheck.checked`: what jaxtyping passes must pass.

    python -m benchmarks.jaxtyping_suite PATH [--save]

PATH is a checkout of jaxtyping 0.3.11 (github.com/patrick-kidger/jaxtyping). The suite needs jax, equinox, cloudpickle,
typeguard 2.13.3, pytest-asyncio and ipython in addition to what the tests here need. It runs on a copy, which is then
removed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

from benchmarks import store
from benchmarks.measure import environment
from benchmarks.ratios import Ratio

EXPECTED = {
    "test_pytree::": "PyTree: structures and paths (`T`, `?x`) are JAX's",
    "test_messages::test_return": "PyTree",
    "test_array::test_nested_nojaxtyped": "a function without `jaxtyped` shares the sizes of its caller; here each "
    "function has its own",
}
"""Items that may fail, and why."""


def outcomes(suite: Path, ours: bool) -> dict[str, str]:
    """By item, "passed", "failed" or "skipped"."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "suite"
        shutil.copytree(suite, copy)
        if ours:
            with (copy / "test" / "conftest.py").open("a") as conftest:
                conftest.write("\nfrom benchmarks.jaxtyping_fixtures import jaxtyp, typecheck  # noqa\n")
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-W", "ignore", "-m", "pytest", "-q", "test", f"--junitxml={report}"]
        command += ["-p", "no:cacheprovider"]
        subprocess.run(command, cwd=copy, env=environment(), stdout=subprocess.DEVNULL, check=False)
        return _read(report)


def _read(report: Path) -> dict[str, str]:
    found = {}
    for case in ET.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        outcome = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        found[f"{case.get('classname')}::{case.get('name')}"] = outcome
    return found


def _reason(item: str) -> str | None:
    return next((why for start, why in EXPECTED.items() if item.removeprefix("test.").startswith(start)), None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=Path, metavar="PATH")
    store.add_option(parser)
    arguments = parser.parse_args()
    suite = arguments.suite.resolve()
    theirs, ours = outcomes(suite, False), outcomes(suite, True)
    passed = [item for item, outcome in theirs.items() if outcome == "passed"]
    lost = [item for item in passed if ours.get(item) != "passed"]
    unexpected = [item for item in lost if _reason(item) is None]
    print(f"items: {len(theirs)}; jaxtyping passes {len(passed)}; of these shapecheck passes {len(passed) - len(lost)}")
    for item in lost:
        print(f"  {item}: {_reason(item) or 'FAILS'}")
    ratios = [Ratio("items of jaxtyping's suite lost without a known reason", len(unexpected), 0)]
    figures = {"items": len(theirs), "jaxtyping passes": len(passed), "shapecheck passes": len(passed) - len(lost)}
    store.keep(arguments.save, "jaxtyping_suite", figures, ["jaxtyping", "torch"], ratios)
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
