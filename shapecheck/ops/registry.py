"""The table of rules, and the decorators that register a rule."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from inspect import Signature, signature
from typing import Any, TypeVar

from shapecheck.ops.family_index import NAMES_OF_FAMILIES
from shapecheck.ops.traits import NO_TRAITS, Trait

_R = TypeVar("_R", bound=Callable[..., Any])

TABLE: dict[str, Entry] = {}
"""From each registered name to its rule, of the families that were imported: `entry_of` imports the others.

Names have a namespace only if it distinguishes two operators: "matmul", "linalg.norm", "Tensor.unfold", "nn.Linear",
"einops.rearrange".
"""


class Entry:
    """One operator: its canonical name and the rule, whose parameters are the operator's."""

    __slots__ = ("_signature", "function", "name", "traits")

    def __init__(self, name: str, function: Callable[..., Any], traits: Trait = NO_TRAITS) -> None:
        self.name = name
        self.function = function
        self.traits = traits
        self._signature: Signature | None = None

    @property
    def signature(self) -> Signature:
        """The rule's signature, read on first use."""
        if self._signature is None:
            self._signature = signature(self.function)
        return self._signature

    @property
    def family(self) -> str:
        """The name of the file that defines the rule."""
        return self.function.__module__.rpartition(".")[2]

    def __repr__(self) -> str:
        return f"Entry({self.name!r})"


def op(*names: str, traits: Trait = NO_TRAITS) -> Callable[[_R], _R]:
    """Enters a rule for the operator called `names[0]`; the other names are further ones of the same operator.

    The usual prefixes (`torch.`, `Tensor.`, `F.`, `aten.`), dunders, in-place and `_copy` variants need no name of
    their own.
    traits: what is true of the operator under all of these names.
    """

    def enter(rule: _R) -> _R:
        register(rule, *names, traits=traits)
        return rule

    return enter


def register(rule: Callable[..., Any], *names: str, traits: Trait = NO_TRAITS) -> None:
    """What `op` does, for rules that are made in a loop from a table."""
    entry = Entry(names[0], rule, traits)
    for name in names:
        if name in TABLE:
            raise ValueError(f"two rules for {name!r}, in {TABLE[name].function.__module__} and {rule.__module__}")
        TABLE[name] = entry


def entry_of(name: str) -> Entry | None:
    """The rule of a registered name; imports its family when the first rule of it is needed."""
    if name not in TABLE and name in family_of_names():
        import_module(f"shapecheck.ops.{family_of_names()[name]}")
    return TABLE.get(name)


def rule_of(name: str) -> Callable[..., Any]:
    """The rule that a family registers under this name. Raises KeyError if none does."""
    entry = entry_of(name)
    if entry is None:
        raise KeyError(name)
    return entry.function


@cache
def family_of_names() -> dict[str, str]:
    """The module of each registered name, relative to this package."""
    return {name: family for family, names in NAMES_OF_FAMILIES.items() for name in names.split()}
