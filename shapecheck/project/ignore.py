"""Patterns in the syntax of .gitignore: which files and directories of a tree are excluded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class IgnoreRules(NamedTuple):
    """The patterns of one source, relative to the directory `base`, which ends in a separator."""

    base: str
    spec: GitIgnoreSpec

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True: excluded; False: included again by a `!` pattern; None: no pattern matches."""
        if not path.startswith(self.base):
            return None
        relative = path[len(self.base) :].replace(os.sep, "/")
        return self.spec.check_file(relative + "/" if is_folder else relative).include


Chain = tuple[IgnoreRules, ...]
"""Rules from the outermost directory to the innermost, which takes precedence."""


def is_excluded(chain: Chain, path: str, is_folder: bool) -> bool:
    """Whether the rules exclude the file or directory itself; the walk checks the directories above it."""
    for rules in reversed(chain):
        verdict = rules.verdict(path, is_folder)
        if verdict is not None:
            return verdict
    return False


def rules_from_patterns(base: Path, patterns: Sequence[str]) -> Chain:
    """The rules for patterns relative to the directory `base`; none if there is no pattern."""
    return _rules(str(base), patterns)


def rules_from_file(base: str, file: str) -> Chain:
    """The rules of an ignore file for the directory `base`; none if it cannot be read."""
    try:
        text = Path(file).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ()
    return _rules(base, text.splitlines())


def rules_above(folder: Path) -> Chain:
    """The rules of git in the directories above `folder`, up to the root of its repository."""
    above = [folder, *folder.parents]
    # os.path, because Path.exists raises if a directory above cannot be entered
    has_git = (os.path.exists(parent / ".git") for parent in above)  # noqa: PTH110
    root = next((index for index, found in enumerate(has_git) if found), None)
    if root is None:
        return ()
    repository = above[root]
    chain = rules_from_file(str(repository), str(repository / ".git" / "info" / "exclude"))
    for parent in reversed(above[1 : root + 1]):
        chain += rules_from_file(str(parent), str(parent / ".gitignore"))
    return chain


def _rules(base: str, lines: Iterable[str]) -> Chain:
    patterns = [_walkable(line) for line in lines if line.strip() and not line.startswith("#")]
    if not patterns:
        return ()
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - 25 ms, for those who have patterns

    folder = base if base.endswith(os.sep) else base + os.sep

    try:
        return (IgnoreRules(folder, GitIgnoreSpec.from_lines(patterns)),)
    except ValueError:
        return (IgnoreRules(folder, GitIgnoreSpec.from_lines(_valid(patterns))),)


def _walkable(pattern: str) -> str:
    """`a/**` matches what is in `a`; pathspec also matches `a` itself, which would hide `!a/b` from a walk."""
    bare = pattern.rstrip()
    return bare[:-1] if bare.endswith("/**") else pattern


def _valid(patterns: Iterable[str]) -> Iterator[str]:
    """The patterns without invalid ones, such as a single `!`, which git also ignores."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415

    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            continue
        yield pattern
