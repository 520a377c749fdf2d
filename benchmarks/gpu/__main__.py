"""Everything that needs a GPU, in one call: speed, memory, graphs, tests, and models on `cuda`, `cpu` and `fake`.

python -m benchmarks.gpu DIRECTORY [--device cpu] [--only STEP ...] [--minutes N] [--save]

It works from a checkout, with torch 2.11 and the extra `torch`; a step that needs more is skipped with the reason. It
writes DIRECTORY/gpu.json after each step, with the figures of all. Steps that have not started after N minutes, 8 by
default, are skipped. `--device cpu` runs what has a meaning without a GPU. Exit code: 0 passed; 1 a step failed; 2
there is no GPU.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import measure, store
from benchmarks.gpu.commands import Step, steps
from benchmarks.ratios import Ratio

_KEPT = 4000
"""Characters of the output of a step in the report."""


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    import torch  # noqa: PLC0415 - `--help` must not wait for it

    if options.device == "cuda" and not torch.cuda.is_available():
        print("benchmarks.gpu: there is no CUDA device here", file=sys.stderr)
        return 2
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    gpu = torch.cuda.get_device_name() if options.device == "cuda" else "none"
    results: dict[str, dict[str, Any]] = {}
    ends = time.monotonic() + 60 * options.minutes
    for step in steps(folder, options.device):
        if not options.only or step.name in options.only:
            results[step.name] = result = _result(step, options.device, ends)
            print(
                f"{result['outcome']:8} {step.name} ({result['seconds']:.0f} s) {result.get('reason', '')}", flush=True
            )
            document = {"gpu": gpu, "versions": store.versions(("torch",)), "steps": results}
            (folder / "gpu.json").write_text(json.dumps(document, indent=1) + "\n")
    failed = sum(one["outcome"] == "failed" for one in results.values())
    figures = {"gpu": gpu, "steps": results}
    store.keep(options.save, "gpu", figures, ("torch",), [Ratio("steps on the GPU that fail", failed, 0)])
    return int(failed > 0)


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIRECTORY")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--only", nargs="+", default=[], metavar="STEP")
    parser.add_argument("--minutes", type=float, default=8, metavar="N")
    store.add_option(parser)
    return parser.parse_args(argv)


def _result(step: Step, device: str, ends: float) -> dict[str, Any]:
    """The outcome of a step, with its figures; a step that exceeds the time left is ended."""
    began = time.monotonic()
    left = ends - began
    reason = step.missing(device) or ("no time is left" if left <= 0 else "")
    if reason:
        return {"outcome": "skipped", "reason": reason, "seconds": 0.0}
    try:
        done = subprocess.run(
            step.command,
            cwd=measure.ROOT,
            env=measure.environment(step.environment),
            capture_output=True,
            text=True,
            check=False,
            timeout=left,
        )
    except subprocess.TimeoutExpired:
        return {"outcome": "skipped", "reason": "ended when the time was up", "seconds": time.monotonic() - began}
    result: dict[str, Any] = {
        "outcome": "passed" if done.returncode in step.passes else "failed",
        "exit code": done.returncode,
        "seconds": time.monotonic() - began,
    }
    return result | _content(step, done)


def _content(step: Step, done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """What a step has measured, printed or written."""
    if step.is_json and done.stdout.strip():
        figures = json.loads(done.stdout.strip().splitlines()[-1])
        return {"figures": figures, "reason": "; ".join((*figures["problems"], *figures["skipped"]))}
    content: dict[str, Any] = {"output": (done.stdout + done.stderr)[-_KEPT:]}
    if step.report is not None and step.report.exists():
        content["report"] = _summary(json.loads(step.report.read_text()))
    return content


def _summary(report: dict[str, Any]) -> dict[str, Any]:
    """Of a report of `run`: the number of cases by outcome, and the cost of each that was timed."""
    if "cases" not in report:
        return report
    cases = report["cases"]
    outcomes = [case["outcome"] for case in cases]
    costs = {case["name"]: case["cost"] for case in cases if case.get("cost")}
    kept = ("seconds", "mfu", "bound", "peak_bytes")
    return {
        "outcomes": {one: outcomes.count(one) for one in sorted(set(outcomes))},
        "costs": {name: {key: cost[key] for key in kept} for name, cost in costs.items() if cost["seconds"]},
    }


if __name__ == "__main__":
    sys.exit(main())
