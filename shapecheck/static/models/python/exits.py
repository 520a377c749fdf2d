"""Functions that never return, and context managers that handle exceptions."""

from __future__ import annotations

from shapecheck.ops import Other
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import NoReturn

EXPECTING_FAILURE = frozenset("raises suppress assertRaises assertRaisesRegex assert_raises".split())
"""The last names of functions that create such a context manager."""
EXPECTED_FAILURE = "context that handles exceptions"
"""The `kind` of the `Other` for it."""
_EXITS = frozenset(
    """
    sys.exit os._exit os.abort builtins.exit builtins.quit pytest.skip pytest.fail pytest.xfail pytest.exit
    typing.assert_never typing_extensions.assert_never
    """.split()
)


def exit_or_handler(name: str) -> Value:
    """The result of a function from outside the project that exits or handles exceptions; None for any other."""
    if name in _EXITS:
        return NoReturn("a function that exits")
    return Other(EXPECTED_FAILURE) if name.rpartition(".")[2] in EXPECTING_FAILURE else None
