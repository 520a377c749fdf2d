from __future__ import annotations

import pytest
from click.testing import CliRunner

from shapecheck.cli import lsp, main


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lsp, "find_spec", lambda _: None)
    result = CliRunner().invoke(main, ["lsp"])
    assert result.exit_code == 2
    assert result.stderr == 'shapecheck: pygls is not installed; install it with: pip install "torch-shapecheck[lsp]"\n'


def test_a_port_excludes_standard_input() -> None:
    result = CliRunner().invoke(main, ["lsp", "--tcp", "2087", "--stdio"])
    assert result.exit_code == 2
    assert "--tcp cannot be used with --stdio" in result.stderr
