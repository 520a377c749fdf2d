"""pip installs `torch-shapecheck`; the bare name is that of a different package, and nothing here installs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shapecheck.cli._distribution import DISTRIBUTION
from shapecheck.config.load import parse_toml
from tests.test_repository import _files_of_the_repository

ROOT = Path(__file__).resolve().parents[1]
PROJECT = parse_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BARE = r"(?<![\w./-])shapecheck"
WITH_EXTRA = re.compile(BARE + r"\\?\[(?:" + "|".join(PROJECT["optional-dependencies"]) + r")\b")
INSTALL = re.compile(r"\b(?:pipx?|uv|poetry|conda) (?:install|add|tool install)\b([^\n;&|#`)]*)")
REQUIREMENT = re.compile(BARE + r"(?=$|[\s\"'\[=<>~!])")
INSTALLED_BY_A_HOOK = re.compile(r"additional_dependencies:.*" + BARE + r"(?![\w.-])")


def _wrong(text: str) -> Iterator[str]:
    """Where a text requires the bare name."""
    for pattern in (WITH_EXTRA, INSTALLED_BY_A_HOOK):
        yield from (match.group() for match in pattern.finditer(text))
    yield from (match.group() for match in INSTALL.finditer(text) if REQUIREMENT.search(match[1]))


def test_the_name_is_that_of_the_project() -> None:
    assert PROJECT["name"] == DISTRIBUTION
    assert list(PROJECT["scripts"]) == ["shapecheck"]


def test_no_file_installs_the_bare_name() -> None:
    found = []
    for path in _files_of_the_repository():
        if path != Path(__file__).resolve():
            text = path.read_bytes().decode("utf-8", "replace")
            found += [f"{path.relative_to(ROOT)}: {one}" for one in _wrong(text)]
    assert not found


@pytest.mark.parametrize(
    "text",
    [
        "pip install shapecheck",
        "run `pip install shapecheck`, then",
        "python -m pip install -U shapecheck pytest",
        'pip install "shapecheck>=0.2"',
        "pipx install shapecheck==1",
        "uv tool install shapecheck",
        "add shapecheck[mypy] to it",
        r'/"shapecheck\[lsp\]"$/',
        "additional_dependencies: [torch, shapecheck]",
    ],
)
def test_a_bare_name_is_found(text: str) -> None:
    assert list(_wrong(text))


@pytest.mark.parametrize(
    "text",
    [
        "pip install torch-shapecheck",
        'pip install "torch-shapecheck[torch]" && shapecheck check',
        "pip install -e . # shapecheck",
        "pip install ./shapecheck",
        "pip uninstall -y shapecheck",
        'found["shapecheck"][0]',
        "`pip install tensorboard`; shapecheck",
    ],
)
def test_other_uses_of_the_name_are_not(text: str) -> None:
    assert not list(_wrong(text))
