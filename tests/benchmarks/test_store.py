"""Results files: one a machine, and nothing in them that names it."""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path

import pytest

from benchmarks import store
from benchmarks.ratios import Ratio

FILES = sorted(store.RESULTS.glob("*.json"))


@pytest.mark.parametrize(
    ("cpu", "name"),
    [
        ("Intel(R) Xeon(R) Processor", "intel-xeon-2-cores-linux"),
        ("AMD EPYC", "amd-epyc-2-cores-linux"),
        ("Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz", "intel-core-i7-8700-2-cores-linux"),
        ("", "x86-64-2-cores-linux"),
    ],
)
def test_a_machine_is_called_by_its_processor_cores_and_system(cpu: str, name: str) -> None:
    described = {"cpu": cpu, "cores": 2, "system": "Linux", "architecture": "x86_64"}
    assert store.machine_name(described) == name


def test_a_section_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "m.json"
    store.keep(file, "b", {"x": 1}, ["no-such-package"], [Ratio("x", 1, 2)])
    store.keep(file, "a", {"x": 2}, [], [])
    store.keep(file, "b", {"x": 3}, [], [Ratio("x", 3, 2)])
    sections = store.load(file)["benchmarks"]
    assert list(sections) == ["a", "b"]
    assert store.measured(file, "b") == sections["b"].pop("measured") >= store.measured(file, "a") > "2026"
    assert store.measured(file, "c") == ""
    assert sections["a"]["figures"] == {"x": 2}
    assert sections["b"] == {
        "versions": {"python": platform.python_version()},
        "ratios": [{"what": "x", "value": 3, "target": 2, "at_least": False}],
        "figures": {"x": 3},
    }


def test_nothing_is_kept_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "RESULTS", tmp_path)
    store.keep(None, "a", {}, [], [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_kept_file_is_called_as_its_machine_and_names_no_host_and_no_path(file: Path) -> None:
    document = json.loads(file.read_text())
    assert file.stem == store.machine_name(document["machine"])
    assert platform.node() not in file.read_text() or len(platform.node()) < 4
    assert not re.search(r'"[^"]*(/home/|/tmp/|/root/|/Users/|[A-Z]:\\\\)', file.read_text())
