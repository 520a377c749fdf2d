"""Regular expressions of modules, compiled when they are first used.

A command imports hundreds of modules and applies few of their expressions to a small file; compiling all of them would
take a tenth of its time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AnyStr

if TYPE_CHECKING:

    def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
        """What `re.compile` returns; an invalid pattern raises `re.error` at the first use."""

else:

    class lazy_pattern:
        """Takes all attributes from the compiled pattern, and keeps those that were read."""

        def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
            self._arguments = (pattern, flags)

        def __getattr__(self, name: str) -> Any:  # called only for an attribute that is not kept yet
            if "_compiled" not in self.__dict__:
                self._compiled = re.compile(*self._arguments)
            value = getattr(self._compiled, name)
            setattr(self, name, value)
            return value
