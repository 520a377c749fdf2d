"""Edits of mypy.ini and setup.cfg."""

from __future__ import annotations

import re
from configparser import ConfigParser
from configparser import Error as IniError

from shapecheck.cli._init.templates import PLUGIN

_HEADER = re.compile(r"^\[mypy\][^\n]*\n?", re.MULTILINE)
_KEY = re.compile(r"^plugins[ \t]*[=:][ \t]*", re.MULTILINE)


def with_plugin(text: str) -> str | None:
    """With the plugin in the section `[mypy]`; raises ValueError for an invalid file."""
    old = _parsed(text)
    section = old.get("mypy")
    given = (section or {}).get("plugins")
    if section is None:
        before = f"{text.rstrip()}\n\n" if text.strip() else ""
        candidates = [f"{before}[mypy]\nplugins = {PLUGIN}\n"]
    elif given is None:
        candidates = [_inserted(text, match, f"plugins = {PLUGIN}\n") for match in _HEADER.finditer(text)]
    else:
        addition = f"{PLUGIN}, " if given.lstrip() == given and given else PLUGIN
        candidates = [_inserted(text, match, addition) for match in _KEY.finditer(text)]
    return next((one for one in candidates if _is_wanted(old, _parsed(one))), None)


def _inserted(text: str, match: re.Match[str], addition: str) -> str:
    line_end = "\n" if addition.endswith("\n") and not match.group().endswith("\n") else ""
    space = "" if addition.endswith("\n") or match.group()[-1] in " \t" else " "
    return text[: match.end()] + line_end + space + addition + text[match.end() :]


def _is_wanted(old: dict[str, dict[str, str]], new: dict[str, dict[str, str]]) -> bool:
    """Whether nothing changed except that the plugin is the first one."""
    before = {**old.get("mypy", {})}
    after = {**new.get("mypy", {})}
    first, *others = _names(after.pop("plugins", ""))
    others_before = _names(before.pop("plugins", ""))
    return first == PLUGIN and others == others_before and {**old, "mypy": before} == {**new, "mypy": after}


def _names(value: str) -> list[str]:
    return [name for one in re.split(r"[,\n]", value) if (name := one.strip())]


def _parsed(text: str) -> dict[str, dict[str, str]]:
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except IniError as error:
        raise ValueError(str(error)) from error
    return {name: dict(parser[name]) for name in parser.sections()}
