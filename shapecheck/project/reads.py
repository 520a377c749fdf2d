"""What a run has read: files, and what their imports resolved to. Findings are valid as long as these are unchanged."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from hashlib import sha1


@dataclass(slots=True)
class FileRead:
    """One file as a run has read it."""

    path: str
    """The path as in messages and imports."""
    asked: bool
    """Whether the user named it: findings in other files are reported at a call in one of those."""
    digest: str
    """The digest of its bytes; empty if it could not be read."""
    name: str = ""
    """The dotted name; empty if it does not parse."""
    is_script: bool = False
    """Whether it may be run as a script; False if that was not determined."""
    source: bytes = b""
    """Its bytes, compressed, to compare a later version with; empty for a library."""
    observed: frozenset[str] = frozenset()
    """The units that its body observes when it runs."""
    imports: dict[tuple[int, str], str | None] = field(default_factory=dict)
    """By level and dotted name, the real path of the imported file; None if it is not a file of the project."""

    def agrees(self, other: FileRead) -> bool:
        """Whether both are consistent where both have a value."""
        same = (self.path, self.asked, self.digest, self.name) == (other.path, other.asked, other.digest, other.name)
        return same and all(other.imports.get(key, found) == found for key, found in self.imports.items())

    def edited(self, content: bytes) -> FileRead:
        """The same file with other bytes."""
        return replace(self, digest=digest(content), source=compressed(content))

    def with_more(self, other: FileRead) -> FileRead:
        """The union of both."""
        imports = self.imports | other.imports
        is_script = self.is_script or other.is_script
        source, observed = self.source or other.source, self.observed | other.observed
        return replace(self, is_script=is_script, source=source, observed=observed, imports=imports)


def digest(content: bytes) -> str:
    """A digest of the bytes of a file."""
    return sha1(content, usedforsecurity=False).hexdigest()


def compressed(content: bytes) -> bytes:
    """The bytes of a file as they are kept."""
    return zlib.compress(content, 1)
