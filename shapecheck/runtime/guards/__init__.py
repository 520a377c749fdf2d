"""Guards: within a guard, rules check operators for calls that torch accepts but that are rarely intended.

`guard` is the context manager and the decorator, `mode` the function mode, `rules/` what it looks for (one rule per
file, found by scanning the directory), `violations` what was found, `places` the line of the program, `allowing` the
exemptions of the user. Imports torch when the first guard is entered.
"""

from shapecheck.runtime.guards.guard import guard
from shapecheck.runtime.guards.violations import GuardError, GuardWarning, Violation

__all__ = ["GuardError", "GuardWarning", "Violation", "guard"]
