"""Source trees of the revisions to compare."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class RevisionError(Exception):
    """The name of a revision that the repository does not have."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One side of a comparison."""

    name: str
    tree: Path
    commit: str | None = None
    """None for a directory, whose content can change between two comparisons."""


@contextmanager
def checked_out(repository: Path, name: str, scratch: Path) -> Iterator[Revision]:
    """The tree of a revision; a directory is used as it is."""
    if Path(name).is_dir():
        yield Revision(name, Path(name).resolve())
        return
    found = _git(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if found.returncode:
        raise RevisionError(f"{name} is neither a revision nor a directory")
    commit = found.stdout.strip()
    tree = scratch / commit
    _git(repository, "worktree", "add", "--quiet", "--force", "--detach", str(tree), commit).check_returncode()
    try:
        yield Revision(name, tree, commit)
    finally:
        _git(repository, "worktree", "remove", "--force", str(tree)).check_returncode()


def _git(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", str(repository), *arguments], stdout=subprocess.PIPE, text=True, check=False)
