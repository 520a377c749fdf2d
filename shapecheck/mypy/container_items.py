"""The item types of a container, stored in the container's type.

It lives in `Instance.extra_attrs`, which mypy stores in its cache and compares in the daemon. The names hold
a colon, so no attribute look-up of mypy's own meets them.
"""

from __future__ import annotations

from mypy.types import ExtraAttrs, Instance, Type

ITEM = "shapecheck:item"
LAST = "shapecheck:last"
_PREFIX = "shapecheck:"
_KEY = "shapecheck:key:"


def key(name: str | int) -> str:
    """The entry for one key of a ModuleDict, or one index of a ModuleList or Sequential."""
    return f"{_KEY}{name}"


def with_entries(container: Instance, entries: dict[str, Type]) -> Instance:
    """The container's type with these entries in place of older ones."""
    plain = without_entries(container)
    if not entries:
        return plain
    kept = plain.extra_attrs.attrs if plain.extra_attrs else {}
    known = plain.copy_modified()
    known.extra_attrs = ExtraAttrs({**kept, **entries})
    return known


def without_entries(container: Instance) -> Instance:
    """The container's type without our entries."""
    if not has_entries(container):
        return container
    assert container.extra_attrs is not None
    others = {name: typ for name, typ in container.extra_attrs.attrs.items() if not name.startswith(_PREFIX)}
    plain = container.copy_modified()
    plain.extra_attrs = ExtraAttrs(others) if others else None
    return plain


def has_entries(container: Instance) -> bool:
    """Whether the type carries any entry of ours."""
    extra = container.extra_attrs
    return extra is not None and any(name.startswith(_PREFIX) for name in extra.attrs)


def entry(container: Instance, name: str) -> Type | None:
    """One entry: ITEM, LAST or `key(...)`."""
    return container.extra_attrs.attrs.get(name) if container.extra_attrs else None
