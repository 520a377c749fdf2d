"""Results of committed revisions, kept in files, so that a base is checked once."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.check_runs.checking import Result, check
from benchmarks.check_runs.revisions import Revision
from benchmarks.check_runs.sources import Sources


@dataclass(frozen=True, slots=True)
class Checks:
    """How results are obtained."""

    scratch: Path
    store: Path | None
    stats: bool

    def result(self, revision: Revision, name: str, sources: Sources) -> Result:
        """A kept result of the same commit, source and Python; otherwise that of a run, which is then kept."""
        file = self._file(revision, name, sources)
        if file is not None and file.exists():
            return replace(Result(**json.loads(file.read_text())), reused=True)
        result = check(revision.tree, sources, self.scratch, stats=self.stats)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            partial = file.with_suffix(f".{os.getpid()}")
            partial.write_text(json.dumps(asdict(result), indent=1))
            partial.replace(file)
        return result

    def _file(self, revision: Revision, name: str, sources: Sources) -> Path | None:
        if self.store is None or revision.commit is None:
            return None
        python = f"py{sys.version_info.major}{sys.version_info.minor}"
        parts = [name, sources.digest[:12], revision.commit[:12], python, *(["stats"] if self.stats else [])]
        return self.store / f"{'-'.join(parts)}.json"
