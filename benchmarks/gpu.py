"""Everything that needs a GPU, in one call: tests, the examples on `cuda` and on the CPU, the overhead of `run`.

python -m benchmarks.gpu DIRECTORY [--save]     # writes its reports into DIRECTORY; exit 2 where there is no GPU

gpu_tests.xml, cpu.json, cuda.json (torch.compile by inductor), diff.txt, harness.json; prints a line for each step, and
the share of the GPU's peak that the GPT reaches.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import measure, store
from benchmarks.ratios import Ratio

EXAMPLES = measure.ROOT / "examples"


def models() -> list[str]:
    return [str(file) for file in sorted(EXAMPLES.glob("*.py"))]


def steps(folder: Path) -> dict[str, list[str]]:
    run = [*measure.SHAPECHECK, "run", "--quiet", *models()]
    python = [sys.executable, "-m"]
    return {
        "tests": [*python, "pytest", "-q", "-m", "gpu", "-p", "no:cacheprovider", f"--junitxml={folder}/gpu_tests.xml"],
        "examples on the CPU": [*run, "-o", f"{folder}/cpu.json"],
        "examples on the GPU": [*run, "--device", "cuda", "--backend", "inductor", "-o", f"{folder}/cuda.json"],
        "CPU and GPU": [*measure.SHAPECHECK, "diff", f"{folder}/cpu.json", f"{folder}/cuda.json"],
        "probe": [*python, "benchmarks.harness", "--device", "cuda", "--json", f"{folder}/harness.json"],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, metavar="DIRECTORY")
    store.add_option(parser)
    arguments = parser.parse_args()
    folder = arguments.folder
    import torch  # noqa: PLC0415

    if not torch.cuda.is_available():
        print("benchmarks.gpu: there is no CUDA device here", file=sys.stderr)
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    statuses: dict[str, int] = {}
    for name, command in steps(folder).items():
        began = time.perf_counter()
        done = subprocess.run(
            command, cwd=measure.ROOT, env=measure.environment(), capture_output=True, text=True, check=False
        )
        statuses[name] = done.returncode
        print(
            f"== {name}: exit {done.returncode} after {time.perf_counter() - began:.0f} s\n{done.stdout}{done.stderr}"
        )
        if name == "CPU and GPU":
            (folder / "diff.txt").write_text(done.stdout)
    utilisation: dict[str, float] = {}
    for case in json.loads((folder / "cuda.json").read_text())["cases"]:
        if case["name"].endswith(":GPT") and case["cost"]:
            print(f"{case['name']}: MFU {case['cost']['mfu']}, {case['cost']['seconds']} s a forward")
            utilisation[case["name"]] = case["cost"]["mfu"]
    failed = [Ratio("steps on the GPU that fail", sum(map(bool, statuses.values())), 0)]
    figures = {"gpu": torch.cuda.get_device_name(), "exit codes": statuses, "mfu": utilisation}
    store.keep(arguments.save, "gpu", figures, ("torch",), failed)
    return max(statuses.values())


if __name__ == "__main__":
    sys.exit(main())
