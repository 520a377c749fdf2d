"""The conditions of rules that have two observers: `shapecheck check` on source, and guards on a running program.

One file per rule, named after its code. It declares `CODE`, the operators it applies to, `find`, which decides whether
a call is one to report, exemptions included, and the finding: a dataclass of facts whose `message` is what users read.
An observer (a file of `static/rules` or `runtime/guards/rules`) translates a call into shapes and dtypes, asks `find`,
and reports the message at its place; it decides nothing. `find` answers None where a fact that it needs is unknown.

What belongs here works on specs: neither torch, nor the interpreter, nor the runtime is imported.
"""
