"""The models of `models.toml`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec

LIST = Path(__file__).with_name("models.toml")
_Name = Annotated[str, msgspec.Meta(pattern=r"\A\w+\Z")]


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some models of a library. dims: sizes of axis names, where those that the library states are larger."""

    library: str
    names: list[_Name]
    dims: dict[str, int] = {}


class _List(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    group: list[Group]


def groups(file: Path = LIST) -> list[Group]:
    return msgspec.toml.decode(file.read_bytes(), type=_List).group


def names(listed: list[Group]) -> Iterator[str]:
    """The names of the models as targets."""
    for group in listed:
        yield from (f"{group.library}:{name}" for name in group.names)
