"""What the wheel and the sdist hold, and what a package index says about them."""

from __future__ import annotations

import re
import tarfile
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from zipfile import ZipFile

import pytest

from shapecheck import __version__
from shapecheck.diagnostics import CODES
from tests.published.building import ROOT, Built, build

RELATIVE = re.compile(r"\]\((?!https?://|#)[^)]*\)")


@pytest.fixture(scope="module")
def wheel(built: Built) -> dict[str, bytes]:
    return contents(built.wheel)


@pytest.fixture(scope="module")
def sdist(built: Built) -> set[str]:
    with tarfile.open(built.sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def metadata(wheel: dict[str, bytes]) -> Message:
    return BytesParser().parsebytes(wheel[f"torch_shapecheck-{__version__}.dist-info/METADATA"])


def contents(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def modules() -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / "shapecheck").rglob("*.py")}


def test_the_wheel_holds_the_package_its_data_and_nothing_else(wheel: dict[str, bytes]) -> None:
    information = f"torch_shapecheck-{__version__}.dist-info"
    templates = {"parts.html.j2", "report.css", "report.html.j2", "report.js"}
    assert set(wheel) == {
        *modules(),
        "shapecheck/py.typed",
        *(f"shapecheck/harness/show/templates/{name}" for name in templates),
        *(f"shapecheck/diagnostics/pages/{code}.md" for code in CODES),
        *(f"{information}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")),
    }


def test_the_wheel_from_the_sdist_is_the_wheel_from_the_tree(wheel: dict[str, bytes], tmp_path: Path) -> None:
    build(tmp_path, "--wheel")
    [from_tree] = tmp_path.glob("*.whl")
    assert contents(from_tree) == wheel


@pytest.mark.parametrize(
    "path",
    [
        *("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "PKG-INFO"),
        *("noxfile.py", "constraints.txt", ".pre-commit-hooks.yaml", "action.yml", "templates/check.yml", ".ci/run"),
        *("shapecheck/py.typed", "stubs/torch-stubs/nn/modules/module.pyi", "docs/codes/shape-mismatch.md"),
        *("docs/index.md", "tests/conftest.py", "tests/data/fix/keep", "examples/broken", "benchmarks/start.py"),
    ],
)  # fmt: skip
def test_the_sdist_holds_what_a_packager_needs(sdist: set[str], path: str) -> None:
    assert (ROOT / path).exists() or path == "PKG-INFO"
    assert any(name == path or name.startswith(f"{path}/") for name in sdist)


def test_the_sdist_holds_nothing_that_a_tool_left_behind(sdist: set[str]) -> None:
    parts = {part for name in sdist for part in Path(name).parts}
    assert not [
        part for part in parts if re.search(r"^__pycache__$|_cache$|\.pyc$|^\.git$|^dist$|^\.hypothesis$", part)
    ]


def test_the_long_description_is_the_readme_with_no_link_that_leads_nowhere(metadata: Message) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = metadata.get_payload(decode=True).decode("utf-8")  # type: ignore[union-attr]
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert not RELATIVE.findall(shown)
    assert re.findall(r"```.*?```", shown, re.DOTALL) == re.findall(r"```.*?```", readme, re.DOTALL)
    assert re.findall(r"^#+ .*", shown, re.MULTILINE) == re.findall(r"^#+ .*", readme, re.MULTILINE)


def test_the_metadata_says_who_can_use_it(metadata: Message) -> None:
    classifiers = metadata.get_all("Classifier", [])
    minors = {int(match[1]) for text in classifiers if (match := re.search(r":: 3\.(\d+)$", text))}
    assert metadata["Requires-Python"] == f">=3.{min(minors)}"
    assert metadata["License-Expression"] == "MIT"
    assert set(metadata.get_all("Provides-Extra", [])) == {"lsp", "mypy", "torch", "test"}
    assert "Typing :: Typed" in classifiers


def test_no_dependency_is_an_address(metadata: Message) -> None:
    """A package index refuses those."""
    assert not [text for text in metadata.get_all("Requires-Dist", []) if "@" in text]


def test_the_changelog_has_the_version_with_its_date() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert re.fullmatch(rf"\[{re.escape(__version__)}\] - \d{{4}}-\d{{2}}-\d{{2}}", headings[1])
