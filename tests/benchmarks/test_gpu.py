"""The steps of the benchmark for GPUs, and the measurements as far as a CPU has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from benchmarks.gpu import __main__ as gpu
from benchmarks.gpu.commands import Step, steps
from benchmarks.gpu.figures import NeedsGPU
from benchmarks.gpu.formats import formats
from benchmarks.gpu.graphs import graphs
from benchmarks.gpu.measuring import MEASUREMENTS
from benchmarks.gpu.places import Reader, places

CPU = torch.device("cpu")


def document(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "gpu.json").read_text())
    return found


def test_each_measurement_is_a_step(tmp_path: Path) -> None:
    names = [one.command[-2] for one in steps(tmp_path, "cuda") if one.is_json]
    assert names == [*MEASUREMENTS]


def test_each_step_has_its_own_name(tmp_path: Path) -> None:
    names = [one.name for one in steps(tmp_path, "cuda")]
    assert len(names) == len(set(names))


def test_models_run_on_each_device_and_are_compared(tmp_path: Path) -> None:
    names = [one.name for one in steps(tmp_path, "cuda")]
    assert {"run on cpu", "run on cuda", "run on fake", "cpu and cuda", "cpu and fake"} <= {*names}


def test_a_missing_package_is_the_reason() -> None:
    assert Step("tests", (), needs=("json", "no_such_package")).missing("cuda") == "not installed: no_such_package"


def test_a_step_for_gpus_is_skipped_on_a_cpu() -> None:
    assert Step("tests", (), gpu_only=True).missing("cpu") == "there is no GPU"
    assert Step("tests", (), gpu_only=True).missing("cuda") == ""


@pytest.mark.skipif(torch.cuda.is_available(), reason="has a GPU")
def test_without_a_gpu_it_does_not_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gpu.main([str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists()


def test_a_measurement_runs_in_its_own_process_and_is_kept(tmp_path: Path) -> None:
    assert gpu.main([str(tmp_path), "--device", "cpu", "--only", "graphs"]) == 0
    (step,) = document(tmp_path)["steps"].values()
    assert step["figures"]["skipped"] == ["CUDA graphs need a GPU"]


def test_steps_do_not_start_after_the_time(tmp_path: Path) -> None:
    assert gpu.main([str(tmp_path), "--device", "cpu", "--minutes", "0", "--only", "speed", "growth"]) == 0
    assert [one["reason"] for one in document(tmp_path)["steps"].values()] == ["no time is left"] * 2


def test_a_problem_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = {"measured": {}, "problems": ["memory grows"], "skipped": []}
    command = ("python", "-c", f"print({json.dumps(json.dumps(figures))}); exit(1)")
    monkeypatch.setattr(gpu, "steps", lambda *_: [Step("growth", command, is_json=True)])
    assert gpu.main([str(tmp_path), "--device", "cpu"]) == 1
    assert document(tmp_path)["steps"]["growth"]["reason"] == "memory grows"


def test_the_summary_of_a_run_has_what_was_timed() -> None:
    cost = {"seconds": 0.5, "mfu": 0.25, "bound": "math", "peak_bytes": 64, "flops": 1}
    cases = [{"name": "a", "outcome": "passed", "cost": cost}, {"name": "b", "outcome": "failed", "cost": None}]
    found = gpu._summary({"cases": cases})
    assert found["outcomes"] == {"failed": 1, "passed": 1}
    assert found["costs"] == {"a": {"seconds": 0.5, "mfu": 0.25, "bound": "math", "peak_bytes": 64}}


def test_formats_agree_on_a_cpu() -> None:
    assert formats(CPU).problems == []


def test_the_probe_finds_the_copy_on_a_cpu() -> None:
    assert places(CPU).problems == []


def test_a_probe_that_misses_the_copy_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "forward", lambda self, x: self.fc(x))
    assert len(places(CPU).problems) == 1


def test_graphs_have_no_meaning_on_a_cpu() -> None:
    with pytest.raises(NeedsGPU):
        graphs(CPU)
