"""The bugs of `real_bugs.toml`: references to commits, files and lines."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec

from benchmarks.primer.packages import Repository

BUGS = Path(__file__).parents[1] / "real_bugs.toml"
_Commit = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{40}\Z")]
_Text = Annotated[str, msgspec.Meta(pattern=r"\S")]


Kind: TypeAlias = Literal[
    "axis",
    "broadcast",
    "call",
    "comparison",
    "indexing",
    "layout",
    "rank",
    "reduction",
    "squeeze",
    "unused result",
    "width",
]


class Bug(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mistake of a public repository that one of its commits corrected."""

    name: Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9]+(-[a-z0-9]+)*\Z")]
    repository: _Text
    parent: _Commit
    """The last commit with the mistake."""
    fix: _Commit
    path: _Text
    lines: Annotated[list[Annotated[int, msgspec.Meta(ge=1)]], msgspec.Meta(min_length=1)]
    """Where a finding counts, in the file of `parent`."""
    kind: Kind
    symptom: Literal["always", "condition", "silent"]
    what: _Text
    """The mistake in our own words."""

    def source(self, commit: str) -> Repository:
        """One of the two commits, for a fetcher."""
        name = self.repository.rstrip("/").rpartition("/")[2].removesuffix(".git")
        return Repository(name=name, field=self.kind, repository=self.repository, commit=commit)


class _Bugs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bug: list[Bug] = []


def listed(file: Path = BUGS) -> list[Bug]:
    """The bugs of the file, in its order."""
    bugs = msgspec.toml.decode(file.read_bytes(), type=_Bugs).bug
    twice = [name for name, times in Counter(one.name for one in bugs).items() if times > 1]
    if twice:
        raise ValueError(f"listed twice: {', '.join(twice)}")
    return bugs
