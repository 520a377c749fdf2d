"""Edits of pyproject.toml. What a parser reads from the result is compared with what it has to be."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from shapecheck.cli._init.templates import PLUGIN
from shapecheck.config.load import parse_toml

_HEADER = re.compile(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*mypy[ \t]*\][^\n]*\n?", re.MULTILINE)
_LIST = re.compile(r"^[ \t]*plugins[ \t]*=[ \t]*\[(?P<indent>\s*\n[ \t]*(?=[\"']))?(?P<end>\s*\])?", re.MULTILINE)
_STRING = re.compile(r"^[ \t]*plugins[ \t]*=[ \t]*[\"']", re.MULTILINE)


def with_table(text: str, paths: Sequence[str]) -> str | None:
    """With `[tool.shapecheck]`, if there is none; raises ValueError for an invalid file."""
    document = parse_toml(text)
    tool = document.get("tool", {})
    if not isinstance(tool, dict):
        return None
    if "shapecheck" in tool:
        return text
    wanted = _set(document, "shapecheck", {"paths": list(paths)})
    return _first([_with_block(text, f"[tool.shapecheck]\npaths = {json.dumps(list(paths))}\n")], wanted)


def with_plugin(text: str) -> str | None:
    """With the plugin in `[tool.mypy]`; raises ValueError for an invalid file."""
    document = parse_toml(text)
    tool = document.get("tool", {})
    table = tool.get("mypy") if isinstance(tool, dict) else None
    if table is None:
        wanted = _set(document, "mypy", {"plugins": [PLUGIN]})
        return _first([_with_block(text, f'[tool.mypy]\nplugins = ["{PLUGIN}"]\n')], wanted)
    given = table.get("plugins") if isinstance(table, dict) else None
    if given is None:
        return _first(_inserted(text, _HEADER, f'plugins = ["{PLUGIN}"]\n'), _plugins(document, [PLUGIN]))
    if isinstance(given, str):
        separator = ", " if given else ""
        return _first(_inserted(text, _STRING, PLUGIN + separator), _plugins(document, PLUGIN + separator + given))
    return _first(_in_lists(text), _plugins(document, [PLUGIN, *given]))


def _in_lists(text: str) -> Iterator[str]:
    """With the plugin as the first element of a list: on a line of its own, if the others have one each."""
    for match in _LIST.finditer(text):
        opening = match.start() + match.group().index("[") + 1
        separator = f'"{PLUGIN}"' if match["end"] else f'"{PLUGIN}",' if match["indent"] else f'"{PLUGIN}", '
        yield text[:opening] + (match["indent"] or "") + separator + text[opening:]


def _inserted(text: str, before: re.Pattern[str], addition: str) -> Iterator[str]:
    for match in before.finditer(text):
        line_end = "" if match.group().endswith("\n") or not addition.endswith("\n") else "\n"
        yield text[: match.end()] + line_end + addition + text[match.end() :]


def _with_block(text: str, block: str) -> str:
    """With a table at the end, after an empty line."""
    return f"{text.rstrip()}\n\n{block}" if text.strip() else block


def _plugins(document: dict[str, Any], plugins: object) -> dict[str, Any]:
    table = document["tool"]["mypy"]
    return _set(document, "mypy", {**table, "plugins": plugins} if isinstance(table, dict) else {})


def _set(document: dict[str, Any], name: str, table: dict[str, Any]) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    changed.setdefault("tool", {})[name] = table
    return changed


def _first(candidates: Iterator[str] | list[str], wanted: dict[str, Any]) -> str | None:
    """The first text from which a parser reads `wanted`."""
    return next((one for one in candidates if _parsed(one) == wanted), None)


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return parse_toml(text)
    except ValueError:
        return None
