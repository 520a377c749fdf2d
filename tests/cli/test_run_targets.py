"""`shapecheck run`: which cases a target and the configuration select, and their names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run_programs import invoke, write


def test_cases_are_listed_and_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "good", "hangs_in_forward")
    result = invoke(tmp_path, monkeypatch, "good.py", "hangs_in_forward.py", "--list")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["good.py:7: good:Net", "hangs_in_forward.py:7: hangs_in_forward:Net"]


def test_a_configured_case_can_be_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "unbuilt")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.shapecheck.run]\nchecks = ["sweep"]\n'
        '[tool.shapecheck.cases.wide]\ntarget = "unbuilt:Net"\nkwargs = { width = 3 }\n'
    )
    result = invoke(tmp_path, monkeypatch, "unbuilt:Net[wide]", "--format", "json")
    assert result.exit_code == 0
    cases = json.loads(result.stdout)["cases"]
    assert [(case["name"], case["outcome"]) for case in cases] == [("unbuilt:Net[wide]", "passed")]
    assert {check["name"] for check in cases[0]["checks"]} == {"contract", "sweep"}


def test_a_configured_name_that_the_file_lacks_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "unbuilt")
    (tmp_path / "pyproject.toml").write_text('[tool.shapecheck.cases.wide]\ntarget = "unbuilt:Nett"\n')
    result = invoke(tmp_path, monkeypatch, "unbuilt.py", "--list")
    assert result.exit_code == 2
    assert 'tool.shapecheck.cases: unbuilt:Nett: no such model or factory in unbuilt.py; did you mean "Net"?' in (
        result.stderr
    )


def test_the_annotations_of_all_files_of_the_program_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src" / "nets").mkdir(parents=True)
    (tmp_path / "src" / "nets" / "turned.py").write_text(
        "from jaxtyping import Float\nfrom torch import Tensor, nn\n\n\nclass Turned(nn.Module):\n"
        '    def forward(self, x: Float[Tensor, "b h w"]) -> Float[Tensor, "b h w"]:\n        return x.mT\n'
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "cases.py").write_text(
        "from nets.turned import Turned\n\n\ndef turned() -> Turned:\n    return Turned()\n"
    )
    (tmp_path / "pyproject.toml").touch()
    result = invoke(tmp_path, monkeypatch, "tests/cases.py", "--check", "contract", "--quiet")
    assert result.stdout.startswith(
        'src/nets/turned.py:7:9: error: Turned.forward(return): expected dimension 1 ("h") to be '
    )


def test_what_stops_several_files_is_one_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "base.py").write_text("def forward(): ...\nimport no_such_package\n")
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text("import base\ndef forward(): ...\n")
    result = invoke(tmp_path, monkeypatch, ".", "--list")
    assert result.exit_code == 2
    assert result.stdout == (
        "base.py:2:1: error: cannot import: ModuleNotFoundError: No module named 'no_such_package' "
        "(and 2 other files for the same reason) [failed-import]\n"
    )


def test_files_of_one_name_are_told_apart_by_their_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, "contradicts")
    result = invoke(tmp_path, monkeypatch, ".", "--check", "sweep", "--format", "json")
    report = json.loads(result.stdout)
    names = ["first/contradicts.py:Net", "second/contradicts.py:Net"]
    assert [case["name"] for case in report["cases"]] == names
    assert [(one["case"], one["path"]) for one in report["diagnostics"]] == [
        (name, name.removesuffix(":Net")) for name in names
    ]
    listed = invoke(tmp_path, monkeypatch, *names, "--list").stdout
    assert [line.split(": ")[1] for line in listed.splitlines()] == names


def test_a_folder_without_models_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "plain")
    result = invoke(tmp_path, monkeypatch, ".")
    assert result.exit_code == 0
    assert "no models found: expected a class with a forward" in result.stderr
