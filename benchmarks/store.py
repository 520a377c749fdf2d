"""Figures of runs: one file a machine, `benchmarks/results/<machine>.json`, one section in it a benchmark."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, is_dataclass
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.ratios import Ratio, as_data
from shapecheck import __version__

RESULTS = Path(__file__).parent / "results"


def machine() -> dict[str, Any]:
    """What the figures depend on, without a name or a path of the machine."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "architecture": platform.machine(),
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor()


def machine_name(described: Mapping[str, Any]) -> str:
    """A file name for a machine: its processor, cores and system, never its host name."""
    cpu = re.sub(r"\((R|TM)\)|@.*|\b(CPU|Processor)\b", " ", described["cpu"], flags=re.IGNORECASE)
    words = f"{cpu or described['architecture']} {described['cores']} cores {described['system']}"
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def results_file(name: str | None = None) -> Path:
    """Where the figures of the machine called `name`, by default this one, are kept."""
    return RESULTS / f"{name or machine_name(machine())}.json"


def add_option(parser: argparse.ArgumentParser) -> None:
    """`--save [FILE]`, the same for every benchmark."""
    parser.add_argument(
        "--save",
        nargs="?",
        type=Path,
        const=results_file(),
        metavar="FILE",
        help="keep the figures in FILE, by default benchmarks/results/<machine>.json",
    )


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Versions of those of `packages` that are installed here, and of Python."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = __version__ if package == "shapecheck" else metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def load(path: Path) -> dict[str, Any]:
    """What a results file holds; an empty one where there is none."""
    try:
        document: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError:
        return {"machine": machine(), "benchmarks": {}}
    return document


def keep(
    path: Path | None, name: str, figures: Mapping[str, Any], packages: Iterable[str], ratios: Iterable[Ratio]
) -> None:
    """Put a run's figures into section `name` of the file, if one was requested; the other sections stay."""
    if path is None:
        return
    document = load(path)
    document["machine"] = machine()
    document["benchmarks"][name] = {
        "measured": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "versions": versions(packages),
        "ratios": as_data(ratios),
        "figures": dict(figures),
    }
    document["benchmarks"] = dict(sorted(document["benchmarks"].items()))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1, default=_plain) + "\n")
    print(f"saved section {name} of {path.name}")


def measured(path: Path, name: str) -> str:
    """When section `name` of the file was measured, in ISO 8601 and UTC; empty if that is not known."""
    return str(load(path)["benchmarks"].get(name, {}).get("measured", ""))


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"not for JSON: {value!r}")
