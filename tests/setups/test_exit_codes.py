"""The exit codes of docs/ci.md, each by a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import GOOD, HEAD, shapecheck

SAVED = '{"version": 1}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "bad.py").write_text(HEAD)
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "broken.py").write_text("def forward(:\n")
    (tmp_path / "saved.json").write_text(SAVED)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("check good.py", 0),
        ("check bad.py", 1),
        ("check --fail-on error bad.py", 1),
        ("check --fail-on never bad.py", 0),
        ("check broken.py", 1),
        ("check absent.py", 2),
        ("check --fail-on never absent.py", 2),
        ("check --no-such-option", 2),
        ("fix --diff good.py", 1),
        ("fix --check good.py", 1),
        ("fix good.py", 0),
        ("fix broken.py", 2),
        ("fix absent.py", 2),
        ("stubs --check", 1),
        ("stubs --python pyproject.toml", 2),
        ("diff absent.json saved.json", 2),
        ("diff saved.json saved.json", 2),
        ("explain shape-mismatch", 0),
        ("explain nothing", 2),
        ("run absent.py", 2),
        ("nothing", 2),
    ],
)
def test_the_exit_code(command: str, code: int, folder: Path) -> None:
    done = shapecheck(folder, *command.split())
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert bool(done.stdout + done.stderr)
