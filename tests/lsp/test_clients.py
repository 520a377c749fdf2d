"""The settings of the clients in `editors/` are those of the server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from shapecheck.lsp.settings import EditorSettings, settings_from

EDITORS = Path(__file__).parents[2] / "editors"


def names() -> set[str]:
    """The settings of the server, as `a.b`."""
    found: dict[str, object] = msgspec.to_builtins(EditorSettings())
    inner = {f"{name}.{key}" for name, value in found.items() if isinstance(value, dict) for key in value}
    return inner | {name for name, value in found.items() if not isinstance(value, dict)}


def test_the_extension_has_every_setting_of_the_server() -> None:
    package = json.loads((EDITORS / "vscode" / "package.json").read_text())
    settings = {one.removeprefix("shapecheck.") for one in package["contributes"]["configuration"]["properties"]}
    own = {"enabled", "command", "interpreter", "trace.server"}
    assert settings - own == names()


def test_neovim_has_only_settings_of_the_server() -> None:
    text = (EDITORS / "neovim" / "lsp" / "shapecheck.lua").read_text()
    options = text.partition("init_options = {")[2]
    given = set(re.findall(r"(\w+) = (?:true|false)", options))
    assert given <= {name.rpartition(".")[2] for name in names()}


def test_settings_are_read_with_and_without_their_section() -> None:
    for given in ({"inlayHints": {"dtype": True}}, {"shapecheck": {"inlayHints": {"dtype": True}}}):
        assert settings_from(given).inlay_hints.dtype
    assert not settings_from({"inlayHints": {"dtype": "yes"}}).inlay_hints.dtype
    assert settings_from(None) == EditorSettings()
