"""The generic types whose items are checked."""

from __future__ import annotations

import collections
import collections.abc
import types
import typing
from typing import Final

UNIONS: Final = (typing.Union, types.UnionType)

SEQUENCES: Final = frozenset(
    (
        list,
        set,
        frozenset,
        collections.deque,
        collections.abc.Sequence,
        collections.abc.MutableSequence,
        collections.abc.Collection,
        collections.abc.Set,
    )
)

MAPPINGS: Final = frozenset(
    (
        dict,
        collections.OrderedDict,
        collections.defaultdict,
        collections.abc.Mapping,
        collections.abc.MutableMapping,
    )
)
