"""Edits of .pre-commit-config.yaml and .gitlab-ci.yml, in the block style in which they are written.

There is no YAML parser here, so a file in another style is not changed.
"""

from __future__ import annotations

import re
from textwrap import indent

from shapecheck.cli._init.templates import GITLAB, HOOK

_REPOS = re.compile(r"^repos:[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_ITEM = re.compile(r"^([ \t]*)- +repo:", re.MULTILINE)
_TOP_LEVEL = re.compile(r"^[^\s#-]", re.MULTILINE)
_OURS = re.compile(r"^[ \t]*-? *id: *[\"']?shapecheck-", re.MULTILINE)
_JOB = re.compile(r"^shapecheck:", re.MULTILINE)
_STAGES = re.compile(r"^stages:", re.MULTILINE)
_DOCUMENT_END = re.compile(r"^(?:---|\.\.\.)", re.MULTILINE)


def with_hook(text: str) -> str | None:
    """With the hook as the last item of `repos`, indented as the first one is."""
    if not text.strip():
        return "repos:\n" + indent(HOOK, "  ")
    if _OURS.search(text):
        return text
    start = _REPOS.search(text)
    if start is None:
        return None
    following = _TOP_LEVEL.search(text, start.end())
    end = following.start() if following else len(text)
    item = _ITEM.search(text, start.end(), end)
    if item is None or len(_DOCUMENT_END.findall(text, start.end())):
        return None
    # Not the empty lines and comments before the next key; a deeper comment may be in a block of text.
    tail = rf"(?:\n(?:[ \t]*|[ \t]{{0,{len(item[1])}}}#[^\n]*))*\Z"
    kept = re.sub(tail, "", text[:end])
    rest = text[len(kept) :]
    return f"{kept}\n{indent(HOOK, item[1])}" + (rest.removeprefix("\n") if rest.strip() else "")


def with_job(text: str) -> str | None:
    """With the job of GitLab at the end."""
    if _JOB.search(text):
        return text
    if not text.strip():
        return GITLAB
    if (
        _lacks_the_stage(text)
        or len(_DOCUMENT_END.findall(text)) > text.startswith("---")
        or text.lstrip().startswith("{")
    ):
        return None
    return f"{text.rstrip()}\n\n{GITLAB}"


def _lacks_the_stage(text: str) -> bool:
    """Whether the file lists its stages without `test`, in which the job is."""
    start = _STAGES.search(text)
    if start is None:
        return False
    following = _TOP_LEVEL.search(text, start.end())
    return re.search(r"\btest\b", text[start.end() : following.start() if following else len(text)]) is None
