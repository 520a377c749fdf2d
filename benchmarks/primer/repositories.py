"""One commit of a public git repository, as a tar file. Nothing of it is checked out, so no hook or filter runs."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from benchmarks.primer.errors import FetchError, Unreachable

_NETWORK = re.compile(r"unable to access|could not resolve|could not connect|connection|timed out", re.IGNORECASE)
_AS_IT_IS = "* -export-ignore -export-subst -filter -ident -text\n"


def archive(repository: str, commit: str, scratch: Path) -> Path:
    """A tar file with all files of the commit. `url.<base>.insteadOf` of git's configuration applies."""
    bare, file = scratch / "repository.git", scratch / "repository.tar"
    _git("init", "--quiet", "--bare", "--template=", str(bare))
    attributes = bare / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text(_AS_IT_IS)
    _git(f"--git-dir={bare}", "fetch", "--quiet", "--depth", "1", "--no-tags", "--", repository, commit)
    _git(f"--git-dir={bare}", "archive", "--format=tar", f"--output={file}", commit)
    return file


def _git(*arguments: str) -> None:
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    done = subprocess.run(
        ["git", *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = " ".join(done.stderr.split()) or f"exit {done.returncode}"
        raise (Unreachable if _NETWORK.search(said) else FetchError)(f"git: {said[:300]}")
