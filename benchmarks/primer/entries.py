"""Entries for `judged.toml`, ready to paste."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from benchmarks.primer.packages import Package
from benchmarks.primer.verdicts import Diagnostic


def entries(package: Package, unjudged: Iterable[Diagnostic]) -> Iterator[str]:
    """An entry for each finding, with an empty verdict and reason. The file is invalid until both are filled in."""
    found = list(unjudged)
    times = Counter((one["path"], one["line"], one["code"]) for one in found)
    for one in found:
        place = (one["path"], one["line"], one["code"])
        fields: dict[str, object] = {"package": package.name, "version": package.version}
        fields |= {name: one[name] for name in ("path", "line", "code")}
        if times[place] > 1:
            fields["column"] = one["column"]
        fields |= {"verdict": "", "reason": ""}
        message = " ".join(one["message"].split())
        # A JSON string is a TOML string, and so is a JSON number.
        body = "\n".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items())
        yield f"# {one['path']}:{one['line']}:{one['column']} {message}\n[[finding]]\n{body}\n"
