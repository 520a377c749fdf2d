"""What a run has read: files, and where their imports led. Findings are valid as long as these hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha1


@dataclass(slots=True)
class FileRead:
    """One file as a run has read it."""

    path: str
    """As messages and importers spell it."""
    asked: bool
    """Whether it was asked for: findings in other files are told at a call in one that was."""
    digest: str
    """Of its bytes; empty where it could not be read."""
    name: str = ""
    """The dotted name; empty where it does not parse."""
    is_script: bool = False
    """Whether it may be run as it lies; False where nobody has asked."""
    imports: dict[tuple[int, str], str | None] = field(default_factory=dict)
    """By level and dotted name, the real path of the file that was meant; None where that is none of the project's."""

    def agrees(self, other: FileRead) -> bool:
        """Whether both saw the same, in so far as both looked."""
        same = (self.path, self.asked, self.digest, self.name) == (other.path, other.asked, other.digest, other.name)
        return same and all(other.imports.get(key, found) == found for key, found in self.imports.items())

    def with_more(self, other: FileRead) -> FileRead:
        """What both saw."""
        imports = self.imports | other.imports
        return FileRead(self.path, self.asked, self.digest, self.name, self.is_script or other.is_script, imports)


def digest(content: bytes) -> str:
    """A short stand-in for the bytes of a file."""
    return sha1(content, usedforsecurity=False).hexdigest()
