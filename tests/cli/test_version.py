"""`shapecheck --version`, and the package of other authors that has the name of our import."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shapecheck import __version__
from shapecheck.cli import main

SHOWN = f"shapecheck, version {__version__}\n"
WARNING = (
    "shapecheck: warning: a different package, shapecheck 0.0.2, is installed too; "
    "run: pip uninstall -y shapecheck && pip install --force-reinstall --no-deps torch-shapecheck\n"
)
OURS = "[console_scripts]\nshapecheck = shapecheck.cli:main\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where packages are looked for."""
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    return tmp_path


def install(site: Path, name: str, version: str, entry_points: str = "") -> None:
    folder = site / f"{name}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (folder / "entry_points.txt").write_text(entry_points)


def shown() -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["--version"])
    return result.exit_code, result.stdout, result.stderr


def test_without_metadata_it_is_the_version_alone(site: Path) -> None:
    assert shown() == (0, SHOWN, "")


def test_the_other_package_is_a_warning_in_a_line(site: Path) -> None:
    install(site, "torch_shapecheck", __version__, OURS)
    install(site, "shapecheck", "0.0.2")
    assert shown() == (0, SHOWN, WARNING)


@pytest.mark.parametrize("name", ["torch_shapecheck", "shapecheck"])
def test_ours_is_no_conflict_also_under_its_former_name(site: Path, name: str) -> None:
    install(site, name, __version__, OURS)
    assert shown() == (0, SHOWN, "")
