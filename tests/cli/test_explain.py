from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shapecheck.cli import main
from shapecheck.config.load import parse_toml
from shapecheck.diagnostics import CODES, declared
from shapecheck.diagnostics import page as pages

ROOT = Path(__file__).parents[2]


def explain(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments])


@pytest.mark.parametrize("code", CODES)
def test_the_page_is_printed(code: str) -> None:
    result = explain(code)
    assert result.exit_code == 0
    page, _, rest = result.stdout.partition(f"\n{code} is opt-in: ")
    assert page == declared.body((ROOT / f"docs/codes/{code}.md").read_text(encoding="utf-8"))
    assert page.startswith(f"# {code}\n")
    assert bool(rest) is not CODES[code].default


def test_a_near_miss_is_one_line_with_what_was_meant() -> None:
    result = explain("shape-mismach")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == 'shapecheck: unknown code "shape-mismach"; did you mean "shape-mismatch"?\n'


@pytest.mark.parametrize("code", ["E501", "", "../fix"])
def test_another_word_is_one_line_with_all_codes(code: str) -> None:
    result = explain(code)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert all(name in result.stderr for name in CODES)


def test_the_wheel_holds_the_pages_where_they_are_looked_for() -> None:
    build = parse_toml((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    installed, checkout = declared.FOLDERS
    assert wheel["sources"] == {
        checkout.relative_to(ROOT).as_posix(): installed.relative_to(ROOT).as_posix(),
    }
    assert set(wheel["only-include"]) == {"shapecheck", *wheel["sources"]}


def test_installed_pages_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declared, "FOLDERS", (tmp_path / "pages", tmp_path / "docs"))
    code = CODES["shape-mismatch"]
    assert code.summary in pages.page(code)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/shape-mismatch.md").write_text("# é\n", encoding="utf-8")
    assert pages.page(code) == "# é\n"


def test_an_installation_without_pages_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declared, "FOLDERS", (tmp_path / "pages",))
    with pytest.raises(ImportError, match="pages does not exist; install torch-shapecheck again"):
        list(declared.declared())
