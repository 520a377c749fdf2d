"""What the fork server imports, so that no worker process has to: measured in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

_PROGRAM = """
import json, sys, threading
import shapecheck.harness.work.preload
import shapecheck.harness.work.preload_compiler
import shapecheck.harness.work.preload_compiled
import psutil, torch
from torch import nn

before = {*sys.modules}
model = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
torch.compile(model, backend="aot_eager")(torch.ones(2, 3))
print(json.dumps({
    "imported": sorted({*sys.modules} - before),
    "threads": threading.active_count(),
    "processes": len(psutil.Process().children()),
}))
"""


@pytest.fixture(scope="module")
def compiled() -> dict[str, object]:
    """What a process that has imported everything does for a compilation."""
    done = subprocess.run([sys.executable, "-c", _PROGRAM], check=True, capture_output=True, text=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_compilation_imports_nothing_more(compiled: dict[str, object]) -> None:
    assert compiled["imported"] == []


def test_a_case_needs_no_import() -> None:
    program = """
import json, sys
import shapecheck.harness.work.preload
before = {*sys.modules}
from shapecheck.harness.checks.table import all_checks
from shapecheck.runtime.guards import guard
from shapecheck.harness.work import tasks
import torch
all_checks()
with guard():
    torch.ones(2) + 1
print(json.dumps(sorted({*sys.modules} - before)))
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == []


def test_the_server_can_be_forked(compiled: dict[str, object]) -> None:
    assert compiled["threads"] == 1
    assert compiled["processes"] == 0
