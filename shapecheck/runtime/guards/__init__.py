"""Guards: within one, rules check the operators that the program calls for what torch accepts but nobody intends.

`guard` is the context manager and the decorator, `mode` the watch, `rules/` what it looks for (one rule is one file,
found by looking at the folder), `violations` what was found, `places` the line of the program, `allowing` what a user
has allowed. Imports torch when the first guard is entered.
"""

from shapecheck.runtime.guards.guard import guard
from shapecheck.runtime.guards.violations import GuardError, GuardWarning, Violation

__all__ = ["GuardError", "GuardWarning", "Violation", "guard"]
